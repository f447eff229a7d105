import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { CsvLayout, CsvProfile, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { buildProfile, startDraft, takeGuess, type CsvDraft } from './csv-draft.ts'
import { uploadStatement } from './upload.ts'
import { readNeeded } from './use-file-imports.ts'

interface CsvFile {
  file: File
  account: BankAccount
  /** What the server has told of the file. */
  needed: CsvProfileNeeded
}

/** What the operator chooses of a CSV file, and what would come of it. By another layout the columns are guessed again. */
export function useCsvDraft({ file, account, needed: first }: CsvFile) {
  const [needed, setNeeded] = useState(first)
  const [draft, setDraft] = useState(() => startDraft(first))
  const last = useRef<CsvLayout>(undefined)
  const guess = useMutation({
    mutationFn: async (csvForm: CsvLayout) => {
      try {
        await uploadStatement({ file, accountId: account.id, csvForm, signal: new AbortController().signal })
      } catch (error) {
        const told = readNeeded(error)
        if (told) return told
        throw error
      }
      throw new Error('A layout alone imports nothing')
    },
    onSuccess: (told, layout) => {
      if (layout !== last.current) return
      setNeeded(told)
      setDraft((now) => takeGuess(now, told))
    },
  })
  return {
    needed,
    draft,
    guess,
    takeChange: (changed: Partial<CsvDraft>) => setDraft((now) => ({ ...now, ...changed })),
    takeLayout: (changed: Partial<CsvLayout>) => {
      const { encoding, delimiter, headerRow } = { ...draft, ...changed }
      const layout = { encoding, delimiter, headerRow }
      last.current = layout
      setDraft((now) => ({ ...now, ...layout }))
      guess.mutate(layout)
    },
  }
}

/** What would be imported by the choices so far; nothing while a question is open. The headings say nothing of it. */
export function useCsvTrial({ file, account, needed }: CsvFile, draft: CsvDraft, isGuessing: boolean) {
  const { headings: _, ...profile } = (isGuessing ? null : buildProfile(draft, needed)) ?? ({} as Partial<CsvProfile>)
  const isWhole = 'columns' in profile
  return useQuery({
    queryKey: ['csv-trial', file.name, file.size, file.lastModified, account.id, profile],
    queryFn: ({ signal }) => uploadStatement({ file, accountId: account.id, csvForm: profile as CsvProfile, signal }),
    enabled: isWhole,
    retry: false,
    gcTime: 0,
  })
}
