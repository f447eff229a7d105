import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import { withoutBidiControls } from '#contract/bidi.ts'

/** Text, a number, an exact decimal (money, token amounts), or empty. */
export type CsvCell = string | number | { decimal: string } | null

/** Text that a spreadsheet would run as a formula. Includes the wide forms, which some programs normalise. */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** Blanks, quotes and separators before such a sign inside a text. Found from its first one on, so that a long one is read once. */
const beforeInnerSign = /(?<![\s";])[\s";]+(?=[=+\-@＝＋－＠])/g

function escapeFormulas(text: string): string {
  // For spreadsheets that use another separator or no quotes.
  const guarded = text.replace(beforeInnerSign, (gap) => (/[;\t\r\n]/.test(gap) ? `${gap}'` : gap))
  return startsFormula.test(text) ? `'${guarded}` : guarded
}

/** The byte order mark tells spreadsheets that the file is UTF-8. It comes once, at the start. */
export const csvByteOrderMark = '\uFEFF'

/**
 * Lines of RFC 4180, each with its CRLF, without bidi characters. Only text is guarded against formulas (by a leading
 * `'`). Numbers and decimals stay numbers, also negative ones.
 */
export function formatCsvLines(rows: CsvCell[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: { string: (text) => escapeFormulas(withoutBidiControls(text)), object: (value) => String(value.decimal) },
  })
}

/** A whole CSV file. Fills every row up to the longest. */
export function formatCsv(rows: CsvCell[][]): string {
  const width = Math.max(...rows.map((row) => row.length))
  return csvByteOrderMark + formatCsvLines(rows.map((row) => [...row, ...Array<null>(width - row.length).fill(null)]))
}

/** Sends a CSV file as a download. `fileName` is plain ASCII. */
export function sendCsv(reply: FastifyReply, fileName: string, content: string | Readable): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .type('text/csv; charset=utf-8')
    .send(content)
}
