import { useQuery } from '@tanstack/react-query'
import type { CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import type { CsvDraft } from './csv-draft.ts'
import { previewBytes, readPreview } from './csv-preview.ts'

/** The server's preview while its guess of the layout stands, else the file as the chosen layout reads it. */
export function useCsvPreview(file: File, needed: CsvProfileNeeded, { encoding, delimiter, headerRow }: CsvDraft) {
  const { profile } = needed
  const isGuess = encoding === profile.encoding && delimiter === profile.delimiter && headerRow === profile.headerRow
  const { data: head } = useQuery({
    queryKey: ['csv-head', file.name, file.size, file.lastModified],
    queryFn: () => file.slice(0, previewBytes).arrayBuffer(),
    enabled: !isGuess,
    gcTime: 0,
  })
  if (isGuess || !head) return needed
  return readPreview(head, { encoding, delimiter, headerRow })
}
