import type { CsvProfile } from '#contract/schemas/csv-profile.ts'

/** How much of a file the preview looks at, in bytes. */
export const previewBytes = 64 * 1024

const previewRows = 5
const longestCell = 200

export interface CsvLayout {
  encoding: CsvProfile['encoding']
  delimiter: CsvProfile['delimiter']
  /** -1 where the file has no headings. */
  headerRow: number
}

/** The cells of a CSV text. A quoted cell may hold delimiters and line ends. */
function splitRows(text: string, delimiter: string): string[][] {
  const rows: string[][] = [[]]
  let cell = ''
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[at + 1] === '"') cell += text[(at += 1)]
      else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter || sign === '\n' || sign === '\r') {
      rows.at(-1)!.push(cell.trim().slice(0, longestCell))
      cell = ''
      if (sign === '\r' && text[at + 1] === '\n') at += 1
      if (sign !== delimiter) rows.push([])
    } else cell += sign
  }
  rows.at(-1)!.push(cell.trim().slice(0, longestCell))
  return rows
}

interface CsvRows {
  headings: string[]
  rows: string[][]
}

/** Headings and rows of a file's beginning, as another layout than the server's guess reads them. */
export function readRows(head: ArrayBuffer, { encoding, delimiter, headerRow }: CsvLayout): CsvRows {
  const rows = splitRows(new TextDecoder(encoding).decode(head), delimiter)
  const filled = rows.slice(headerRow + 1).filter((row) => row.some((cell) => cell !== ''))
  return { headings: rows[headerRow] ?? [], rows: filled }
}

/** The headings and the rows that are shown. */
export function readPreview(head: ArrayBuffer, layout: CsvLayout) {
  const { headings, rows } = readRows(head, layout)
  return { headings, preview: rows.slice(0, previewRows) }
}

/** What a question about the columns carries at most; a body has 64 KB. */
const sample = { rows: 100, columns: 200, bytes: 48_000 }

/** As many of the rows as a question about the columns carries. */
export function sampleRows({ headings, rows }: CsvRows): CsvRows {
  const cut = (row: string[]) => row.slice(0, sample.columns).map((cell) => cell.toWellFormed())
  const encoder = new TextEncoder()
  let left = sample.bytes
  const taken = rows
    .slice(0, sample.rows)
    .map(cut)
    .filter((row) => (left -= encoder.encode(JSON.stringify(row)).length) > 0)
  return { headings: cut(headings), rows: taken }
}
