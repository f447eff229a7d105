import { isRf } from '#server/lib/iban.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { fewestDigits, foldDigits, foldNumber } from './reference-keys.ts'
import { isApart, isEdge, listDigitRuns, readStream, sliceText, type TextStream } from './text-stream.ts'

/** In which field of a line an order is named. */
export type MentionSource = 'reference' | 'end-to-end id' | 'text' | 'bank text'

/** A place in a text that may name an order. `garbled`: with a typing error. */
export interface Mention {
  kind: 'number' | 'rf' | 'garbled' | 'digits'
  key: string
  /** As it is written. */
  text: string
  start: number
  end: number
  isApart: boolean
}

export const isOverlapping = (one: Mention, other: Mention): boolean => one.start < other.end && other.start < one.end

export interface MentionsOfText {
  source: MentionSource
  mentions: Mention[]
}

/** The shortest word that may be a misspelled number. */
const shortestGarbled = 5

/** More such words of a text are not looked up: no payer writes so many, and each costs a dozen keys. */
const mostGarbled = 100

/** Every place in the texts of a line that may name an order, for order numbers of these lengths. */
export function listMentions(line: StatementLine, numberLengths: ReadonlySet<number>): MentionsOfText[] {
  const readText = (source: MentionSource, text: string) => ({ source, mentions: readMentions(text, numberLengths) })
  const structured = line.structured.map(({ reference }) => {
    const found = readText('reference', reference)
    // A field of its own holds nothing but the reference, whatever is written between its letters.
    const key = foldNumber(reference)
    if (isRf(key)) found.mentions.push({ kind: 'rf', key, text: reference, start: 0, end: key.length, isApart: true })
    return found
  })
  return [
    ...structured,
    ...(line.endToEndId ? [readText('end-to-end id', line.endToEndId)] : []),
    readText('text', line.remittance.join('\n')),
    readText('bank text', line.info.join('\n')),
  ]
}

function readMentions(text: string, numberLengths: ReadonlySet<number>): Mention[] {
  const stream = readStream(text)
  const { chars } = stream
  const edges = Array.from({ length: chars.length + 1 }, (_, at) => at).filter((at) => isEdge(stream, at))
  const longest = Math.max(0, ...numberLengths) + 1
  const mentions: Mention[] = []
  const add = (kind: Mention['kind'], start: number, end: number, key = chars.slice(start, end)) =>
    mentions.push({
      kind,
      key,
      text: sliceText(text, stream, start, end),
      start,
      end,
      isApart: isApart(stream, start, end),
    })
  const isNear = (length: number) => [length - 1, length, length + 1].some((each) => numberLengths.has(each))
  let garbled = 0
  for (const [n, start] of edges.entries()) {
    for (let next = n + 1; next < edges.length && edges[next]! - start <= longest; next++) {
      const end = edges[next]!
      const length = end - start
      if (numberLengths.has(length)) add('number', start, end)
      if (garbled === mostGarbled || length < shortestGarbled || !isNear(length)) continue
      if (!/\d/.test(chars.slice(start, end))) continue
      garbled += 1
      add('garbled', start, end)
    }
  }
  for (const [start, end] of listRfPlaces(stream)) add('rf', start, end)
  for (const [start, end] of listDigitRuns(stream)) {
    const digits = foldDigits(chars.slice(start, end))
    if (digits.length >= fewestDigits) add('digits', start, end, digits)
  }
  return mentions
}

/** An RF reference has 5 to 25 characters, and is right by its check digits. */
function listRfPlaces(stream: TextStream): [start: number, end: number][] {
  const { chars } = stream
  return [...chars.matchAll(/RF(?=\d{2})/g)].flatMap(({ index }) =>
    Array.from({ length: 21 }, (_, n) => index + 5 + n)
      .filter((end) => end <= chars.length && isApart(stream, index, end) && isRf(chars.slice(index, end)))
      .map((end): [number, number] => [index, end]),
  )
}
