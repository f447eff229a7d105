import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'
import type { Readable } from 'node:stream'
import { withoutBidiControls } from '#contract/bidi.ts'

/** Text, a number, an exact decimal (money, token amounts), or nothing. */
export type CsvCell = string | number | { decimal: string } | null

/** What a spreadsheet would run as a formula; the wide forms count too, since some programs normalize them. */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/** The same where a spreadsheet that knows another separator, or no quotes, would begin a cell. */
const innerFormula = /([;\t\r\n][\s"]*)(?=[=+\-@＝＋－＠])/g

function escapeFormulas(text: string): string {
  const guarded = text.replace(innerFormula, "$1'")
  return startsFormula.test(text) ? `'${guarded}` : guarded
}

/** By it spreadsheets know UTF-8; stands once, before the first line. */
export const csvByteOrderMark = '\uFEFF'

/**
 * Lines of RFC 4180, each with its CRLF; characters that turn text around are left out. Only text is guarded against formulas (by a leading `'`): numbers and decimals
 * stay numbers, also negative ones.
 */
export function formatCsvLines(rows: CsvCell[][]): string {
  return stringify(rows, {
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: {
      string: (text) => escapeFormulas(withoutBidiControls(text)),
      object: (value) => String(value.decimal),
    },
  })
}

/** A whole CSV file. Every row is filled up to the longest. */
export function formatCsv(rows: CsvCell[][]): string {
  const width = Math.max(...rows.map((row) => row.length))
  return csvByteOrderMark + formatCsvLines(rows.map((row) => [...row, ...Array<null>(width - row.length).fill(null)]))
}

/** Answers a CSV file for download. `fileName` is plain ASCII. */
export function sendCsv(reply: FastifyReply, fileName: string, content: string | Readable): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .type('text/csv; charset=utf-8')
    .send(content)
}
