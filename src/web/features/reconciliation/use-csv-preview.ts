import { useQuery } from '@tanstack/react-query'
import type { CsvProfileNeeded } from '#contract/schemas/csv-profile.ts'
import type { CsvDraft } from './csv-draft.ts'
import { type CsvLayout, previewBytes, readPreview } from './csv-preview.ts'

/** The beginning of a file. */
export const headQuery = (file: File) => ({
  queryKey: ['csv-head', file.name, file.size, file.lastModified],
  queryFn: () => file.slice(0, previewBytes).arrayBuffer(),
  gcTime: 0,
})

/** Whether a layout is the one that the server has guessed. */
export const isGuessed = ({ profile }: CsvProfileNeeded, { encoding, delimiter, headerRow }: CsvLayout) =>
  encoding === profile.encoding && delimiter === profile.delimiter && headerRow === profile.headerRow

/** The server's preview while its guess of the layout stands, else the file as the chosen layout reads it. */
export function useCsvPreview(file: File, needed: CsvProfileNeeded, { encoding, delimiter, headerRow }: CsvDraft) {
  const layout = { encoding, delimiter, headerRow }
  const isGuess = isGuessed(needed, layout)
  const { data: head } = useQuery({ ...headQuery(file), enabled: !isGuess })
  if (isGuess || !head) return needed
  return readPreview(head, layout)
}
