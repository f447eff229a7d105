import { stringify } from 'csv-stringify/sync'
import type { FastifyReply } from 'fastify'

/** Text, a number, an exact decimal (money, token amounts), or nothing. */
export type CsvCell = string | number | { decimal: string } | null

/** What a spreadsheet would run as a formula; the wide forms count too, since some programs normalize them. */
const startsFormula = /^[=+\-@\t\r\n＝＋－＠]/

/**
 * RFC 4180 with CRLF and a byte order mark, by which spreadsheets know UTF-8. Every row is filled up to the longest.
 * Only text is guarded against formulas (by a leading `'`): numbers and decimals stay numbers, also negative ones.
 */
export function csvText(rows: CsvCell[][]): string {
  const width = Math.max(...rows.map((row) => row.length))
  const filled = rows.map((row) => [...row, ...Array<null>(width - row.length).fill(null)])
  return stringify(filled, {
    bom: true,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    cast: {
      string: (value) => (startsFormula.test(value) ? `'${value}` : value),
      object: (value) => String(value.decimal),
    },
  })
}

/** Answers a CSV file for download. `fileName` is plain ASCII. */
export function sendCsv(reply: FastifyReply, fileName: string, content: string): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${fileName}"`)
    .type('text/csv; charset=utf-8')
    .send(content)
}
