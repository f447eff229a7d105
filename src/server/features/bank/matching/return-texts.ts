// What the texts of a line say of returns, and whether they have the text that the console proposes for a refund.
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { isApart, readStream, foldNumber } from './references.ts'

const listTexts = ({ remittance, info, endToEndId, structured }: StatementLine): string[] => [
  remittance.join('\n'),
  info.join('\n'),
  endToEndId ?? '',
  ...structured.map(({ reference }) => reference),
]

function listPlaces(chars: string, wanted: string): number[] {
  const places: number[] = []
  for (let at = chars.indexOf(wanted); at >= 0; at = chars.indexOf(wanted, at + 1)) places.push(at)
  return places
}

/** Whether the line repeats the text. Banks write it in capitals, cut it into pieces, and put theirs around it. */
export function repeatsText(line: StatementLine, text: string): boolean {
  const wanted = foldNumber(text)
  return listTexts(line).some((written) => {
    const stream = readStream(written)
    return listPlaces(stream.chars, wanted).some((at) => isApart(stream, at, at + wanted.length))
  })
}

/** The days, as YYYYMMDD, of the payments that the line names as such a text does where there is no order to name. */
export const listRefundedDays = (line: StatementLine): string[] =>
  listTexts(line).flatMap((text) =>
    [...readStream(text).chars.matchAll(/REFUNDOF\d+[A-Z]{3}OF(\d{8})/g)].map(([, day]) => day!),
  )

const returnWords = /RETOURE|RETURN|STORNO|REVERS|DEVOLU|RUECKLASTSCHR|TERUGBOEK/i

/** The kind of a returned payment: of ISO 20022, of SWIFT, and of German banks for a transfer that comes back. */
const returnCodes = /(^|\/)RRTN$|^[NSF]RTI$|^159$/

/** Whether the bank says by a mark or a code that the line takes something back, or is something that came back. */
export const hasReturnCode = ({ isReversal, returnReason, code }: StatementLine) =>
  isReversal || returnReason !== null || (code !== null && returnCodes.test(code))

/** Whether the bank says so, by a code or in words. */
export const isReturnOfBank = (line: StatementLine) =>
  hasReturnCode(line) || line.info.some((text) => returnWords.test(text))

/** Whether bank or text say so. Of a refund that we sent the text is our own. */
export const isReturn = (line: StatementLine) =>
  isReturnOfBank(line) || line.remittance.some((text) => returnWords.test(text))
