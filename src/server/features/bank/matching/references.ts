import { type EvidenceKind, evidenceKinds } from '#contract/bank-allocations.ts'
import { isRf } from '#server/lib/iban.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { getLineDay, isAwaited } from './days.ts'
import type { MatchLookup, MatchOrder } from './lookup.ts'
import { measureDistance } from './names.ts'

/** What names an order in a line. */
export interface Evidence {
  order: MatchOrder
  kind: EvidenceKind
  source: MentionSource
  /** What names it, as it is written. */
  text: string
  /** Whether the same text names another order as well. */
  isShared: boolean
}

/** A place that holds the number of one or more orders. */
interface NumberHit extends Mention {
  orders: readonly MatchOrder[]
}

/** Where the orders of a line are looked up, and of which day it is. */
interface OrderSearch {
  lookup: MatchLookup
  day: string | null
}

type AddEvidence = (orders: readonly MatchOrder[], kind: EvidenceKind, text: string) => void

/** The orders that a line names, by id, with the surest evidence for each. */
export function findEvidence(line: StatementLine, lookup: MatchLookup): Map<string, Evidence> {
  const found = new Map<string, Evidence>()
  const isSurer = (kind: EvidenceKind, known: Evidence | undefined) =>
    !known || evidenceKinds.indexOf(kind) > evidenceKinds.indexOf(known.kind)
  const search = { lookup, day: getLineDay(line) }
  for (const { source, mentions } of listMentions(line, lookup.numberLengths)) {
    findInText(mentions, search, (orders, kind, text) => {
      for (const order of orders)
        if (isSurer(kind, found.get(order.id)))
          found.set(order.id, { order, kind, source, text, isShared: orders.length > 1 })
    })
  }
  return found
}

function findInText(mentions: readonly Mention[], search: OrderSearch, add: AddEvidence) {
  const { lookup } = search
  const hits: NumberHit[] = []
  for (const mention of mentions) {
    const orders = mention.kind === 'number' ? lookup.findOrders('number', mention.key) : []
    if (orders.length > 0) hits.push({ ...mention, orders })
  }
  addNumbers(hits, add)
  const isTaken = (mention: Mention) => hits.some((hit) => isOverlapping(hit, mention))
  for (const mention of mentions) {
    const { kind, key, text } = mention
    if (kind === 'rf') add(lookup.findOrders('rf', key), 'rf', text)
    // A number that is right explains its place. What is left of the text may hold a garbled one.
    else if (kind === 'garbled' && !isTaken(mention)) addGarbled(mention, search, add)
    else if (kind === 'digits' && !isTaken(mention)) add(lookup.findOrders('digits', key), 'digits', text)
  }
}

/** “ORD-1 2” may be ORD-1 or ORD-12. Where two readings overlap both are in doubt, and the longer one is likelier. */
function addNumbers(hits: readonly NumberHit[], add: AddEvidence) {
  for (const hit of hits) {
    const others = hits.filter((other) => other !== hit && isOverlapping(other, hit))
    const isLongest = others.every((other) => other.end - other.start < hit.end - hit.start)
    const isSure = others.length === 0 && hit.isApart
    add(hit.orders, isSure ? 'number' : isLongest ? 'lookAlike' : 'typo', hit.text)
  }
}

function addGarbled({ key: word, text }: Mention, { lookup, day }: OrderSearch, add: AddEvidence) {
  add(lookup.findOrders('lookAlike', foldLookAlikes(word)), 'lookAlike', text)
  const near = [...listDeletions(word)].flatMap((key) => lookup.findOrders('nearby', key))
  for (const order of new Set(near))
    if (isAwaited(order, day) && measureDistance(foldNumber(order.orderNumber), word) <= 1) add([order], 'typo', text)
}

/** In which field of a line an order is named. */
type MentionSource = 'reference' | 'end-to-end id' | 'text' | 'bank text'

/** A place in a text that may name an order. `garbled`: with a typing error. */
interface Mention {
  kind: 'number' | 'rf' | 'garbled' | 'digits'
  key: string
  /** As it is written. */
  text: string
  start: number
  end: number
  isApart: boolean
}

export const isOverlapping = (one: Mention, other: Mention): boolean => one.start < other.end && other.start < one.end

interface MentionsOfText {
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

/** The letters and digits of a text in capitals. A letter of another script is `~`. */
interface TextStream {
  chars: string
  /** Whether a blank or a sign is before the character. The last one is for the end of the text. */
  gaps: boolean[]
  /** Where each character stands in the text. */
  places: number[]
}

export function readStream(text: string): TextStream {
  let chars = ''
  let next = 0
  const gaps = [true]
  const places: number[] = []
  for (const char of text) {
    const place = next
    next += char.length
    if (/[A-Za-z0-9]/.test(char)) chars += char.toUpperCase()
    else if (/[\p{L}\p{N}]/u.test(char)) chars += '~'
    else {
      // An accent that stands by itself belongs to the letter before it.
      if (!/\p{M}/u.test(char)) gaps[gaps.length - 1] = true
      continue
    }
    gaps.push(false)
    places.push(place)
  }
  gaps[gaps.length - 1] = true
  return { chars, gaps, places }
}

/** What stands between two characters of the stream, as it is written. */
const sliceText = (text: string, { places }: TextStream, start: number, end: number): string =>
  text.slice(places[start], places[end - 1]! + 1)

const isDigit = (char: string | undefined) => char !== undefined && char >= '0' && char <= '9'

/** Whether something can begin or end here: at a blank or sign, and between letters and digits (“EUR100ORD-7”). */
const isEdge = ({ chars, gaps }: TextStream, at: number): boolean =>
  gaps[at]! || isDigit(chars[at - 1]) !== isDigit(chars[at])

/** Whether blanks or signs are on both sides. */
export const isApart = ({ gaps }: TextStream, start: number, end: number): boolean => gaps[start]! && gaps[end]!

/** The places of numbers. Digits with a gap between them are two numbers. */
function listDigitRuns({ chars, gaps }: TextStream): [start: number, end: number][] {
  return [...chars.matchAll(/\d+/g)].flatMap((run) => {
    const end = run.index + run[0].length
    const starts = Array.from(run[0], (_, offset) => run.index + offset).filter((at) => at === run.index || gaps[at])
    return starts.map((start, n): [number, number] => [start, starts[n + 1] ?? end])
  })
}

/** An order number in capitals, letters and digits only. `reference_key` in the database. */
export const foldNumber = (text: string): string => text.replaceAll(/[^A-Za-z0-9]/g, '').toUpperCase()

const lookAlikes: Record<string, string> = { O: '0', Q: '0', D: '0', I: '1', L: '1', S: '5', B: '8', Z: '2', G: '6' }

/** A folded number with each letter that looks like a digit as that digit. */
export const foldLookAlikes = (key: string): string => key.replaceAll(/[OQDILSBZG]/g, (letter) => lookAlikes[letter]!)

/** The fewest digits that name an order by themselves. */
export const fewestDigits = 4

/** The digits at the end of a folded number, without zeros before them. */
export const foldDigits = (key: string): string => (/\d+$/.exec(key)?.[0] ?? '').replace(/^0+/, '')

/** The key, and the key without each of its letters. Two keys within one edit have one of these in common. */
export function listDeletions(key: string): Set<string> {
  const found = new Set([key])
  for (let at = 0; at < key.length; at++) found.add(key.slice(0, at) + key.slice(at + 1))
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'.split('')

/**
 * Every folded number of one of these lengths that is within one edit of the word: a letter changed, added, left out, or
 * swapped with its neighbour.
 */
export function listNeighbours(word: string, lengths: ReadonlySet<number>): Set<string> {
  const found = new Set<string>()
  const { length } = word
  for (let at = 0; at <= length; at++) {
    const [before, letter, after] = [word.slice(0, at), word.charAt(at), word.slice(at + 1)]
    if (lengths.has(length + 1)) for (const added of alphabet) found.add(before + added + letter + after)
    if (at === length) break
    if (lengths.has(length - 1)) found.add(before + after)
    if (!lengths.has(length)) continue
    for (const other of alphabet) found.add(before + other + after)
    found.add(before + after.charAt(0) + letter + after.slice(1))
  }
  return found
}

/** Whether a folded number cannot be in a text by chance, as a short one or a few digits can. */
export function isStrongNumber(key: string): boolean {
  const digits = key.replaceAll(/\D/g, '').length
  return digits >= 8 || (key.length - digits >= 2 && digits >= 4 && key.length >= 7)
}
