// The text that the console proposes for the transfer of a refund, in what the bank writes of that transfer.
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { foldNumber } from './reference-keys.ts'
import { isApart, readStream } from './text-stream.ts'

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
