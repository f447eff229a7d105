import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { bankRoutes } from '#contract/bank.ts'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { CsvColumnsGuess, CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import { call } from '#web/api.ts'
import { toColumnsGuess } from './csv-draft.ts'
import { type CsvLayout, readRows, sampleRows } from './csv-preview.ts'
import { headQuery, isGuessed } from './use-csv-preview.ts'

interface ColumnsGuessProps {
  file: File
  account: BankAccount
  needed: CsvProfileNeeded
  /** `width` is how many columns the table has by the new layout. */
  onGuess: (guess: CsvColumnsGuess, width: number) => void
}

const measureWidth = (...rows: string[][]) => Math.max(0, ...rows.map(({ length }) => length))

/** Asks anew what the columns hold when the operator reads the file by another layout. Only the last question is answered. */
export function useColumnsGuess({ file, account, needed, onGuess }: ColumnsGuessProps) {
  const client = useQueryClient()
  const last = useRef<CsvLayout>(undefined)
  const guess = useMutation({
    mutationFn: async (layout: CsvLayout): Promise<[CsvColumnsGuess, number]> => {
      if (isGuessed(needed, layout)) return [toColumnsGuess(needed), measureWidth(needed.headings, ...needed.preview)]
      const table = readRows(await client.fetchQuery(headQuery(file)), layout)
      const width = measureWidth(table.headings, ...table.rows)
      return [await call(bankRoutes.guessColumns, { params: { id: account.id }, body: sampleRows(table) }), width]
    },
    onSuccess: (found, layout) => {
      if (layout === last.current) onGuess(...found)
    },
  })
  return {
    isPending: guess.isPending,
    error: guess.error,
    ask: (layout: CsvLayout) => {
      last.current = layout
      guess.mutate(layout)
    },
  }
}
