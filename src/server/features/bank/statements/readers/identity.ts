// Which lines of a file are new? The key says what a line is, its occurrence which one of several equal lines.
import { createHash } from 'node:crypto'
import { toUnits } from '#server/lib/decimal.ts'
import type { Balance, StatementLine } from './statement.ts'

/** Letters and digits alone: banks cut and join the same text in different places. */
export const foldText = (text: string) =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** What a payment says of itself, folded. Empty where it says nothing. */
export interface Content {
  account: string
  name: string
  text: string
  structured: string
  endToEndId: string
}

type ContentFields = Pick<StatementLine, 'remittance' | 'endToEndId' | 'structured'> & {
  counterparty: Pick<StatementLine['counterparty'], 'name' | 'textName' | 'iban' | 'account' | 'textIban'>
}

/** Payments with different names or accounts are different, no matter which bank wrote the file. */
export function readContent({ remittance, endToEndId, structured, counterparty }: ContentFields): Content {
  const { name, textName, iban, account, textIban } = counterparty
  return {
    account: foldText(iban ?? account ?? textIban ?? ''),
    name: foldText(name ?? textName ?? ''),
    text: foldText(remittance.join('')),
    structured: foldText(structured.map(({ reference }) => reference).join('')),
    endToEndId: foldText(endToEndId ?? ''),
  }
}

/** The bank's reference is never enough: batches and reversals repeat it. */
function identityOf({ bankReference, batch, remittance, endToEndId, counterparty }: StatementLine) {
  if (bankReference) return ['ref', bankReference, batch?.isRest ? 'rest' : (batch?.index ?? '')]
  const { name, textName, iban, account, textIban } = counterparty
  const text = foldText(remittance.join('') + (endToEndId ?? ''))
  return ['text', text, iban ?? account ?? textIban ?? '', foldText(name ?? textName ?? '')]
}

/** What a line of an account is. Equal payments have equal keys, and so has the same line in another file. */
export function lineKey(accountId: string, line: StatementLine): string {
  const { bookedOn, direction, isReversal, amount, currency } = line
  const parts = [accountId, bookedOn, direction, isReversal, amount, currency, ...identityOf(line)]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)
}

/** The key of the entry that a line is a transaction of: of the line that stands for the entry in another file. */
export function entryKey(accountId: string, line: StatementLine): string | null {
  if (!line.entry) return null
  const { reference, amount, direction } = line.entry
  return lineKey(accountId, { ...line, bankReference: reference, amount, direction, batch: null })
}

export interface NewLine {
  line: StatementLine
  key: string
  /** From 1, among all lines of the account that have the key. */
  occurrence: number
}

/** The stored lines of one key that say the same. */
export interface StoredLines {
  key: string
  content: Content
  /** The highest occurrence. */
  last: number
  /**
   * The occurrences that the present statement may have as well, the highest first: not those it has had so far, and not those of
   * statements that it continues, whose equal lines are other payments.
   */
  free: number[]
  /** One of them at least was only announced. */
  hasUnbooked: boolean
}

/** The keys that a line may be stored under: its own, and that of a time when the number of an entry counted as a reference. */
export function listKeys(accountId: string, line: StatementLine): string[] {
  const key = lineKey(accountId, line)
  const { entryNumber } = line
  return entryNumber ? [key, lineKey(accountId, { ...line, bankReference: entryNumber })] : [key]
}

const describe = (key: string, content: Content) => JSON.stringify([key, ...Object.values(content)])

/** Whether nothing that both say differs. Another file of the bank may leave something out. */
const canBeSame = (one: Content, other: Content) =>
  Object.entries(one).every(([name, text]) => {
    const otherText = other[name as keyof Content]
    return text === '' || otherText === '' || text === otherText
  })

/** Some banks fill the field with zeros where they have no reference. */
const isZeros = (reference: string | null) => reference !== null && /^0+$/.test(reference)

interface FreshLine extends NewLine {
  /** Its reference is stored, but of a payment that says something else. */
  isAnother: boolean
}

type KnownLine = NewLine & Pick<StoredLines, 'hasUnbooked'>

/**
 * Divides lines into new and known ones. A key alone is not enough to know a line by: the reference in it may be a running number, or
 * the same for all. Payments of a batch may come again in another order.
 */
export function divideLines(
  accountId: string,
  lines: readonly StatementLine[],
  stored: readonly StoredLines[],
): { fresh: FreshLine[]; known: KnownLine[] } {
  const contents = new Set(stored.map(({ content }) => describe('', content)))
  const ofKeys = Map.groupBy(stored, ({ key }) => key)
  const exact = new Map(stored.map((each) => [describe(each.key, each.content), each]))
  const others = Map.groupBy(
    stored.filter(({ free }) => free.length > 0),
    ({ key }) => key,
  )
  const lasts = new Map([...ofKeys].map(([key, of]) => [key, Math.max(...of.map(({ last }) => last))]))
  const identified = lines.map((line) => ({ line, keys: listKeys(accountId, line), content: readContent(line) }))
  const found = new Map<StatementLine, KnownLine>()
  const take = (line: StatementLine, from: StoredLines | undefined) => {
    const occurrence = found.has(line) ? undefined : from?.free.pop()
    if (!from || occurrence === undefined) return
    found.set(line, { line, key: from.key, occurrence, hasUnbooked: from.hasUnbooked })
  }
  for (const { line, keys, content } of identified)
    for (const key of keys) take(line, exact.get(describe(key, content)))
  for (const { line, keys, content } of identified) {
    if (isZeros(line.bankReference)) continue
    const isFitting = (each: StoredLines) =>
      each.free.length > 0 && (canBeSame(content, each.content) || (line.batch && contents.has(describe('', content))))
    take(line, ofKeys.get(keys[0]!)?.find(isFitting))
  }
  const fresh = identified
    .filter(({ line }) => !found.has(line))
    .map(({ line, keys, content }) => {
      const key = keys[0]!
      const occurrence = (lasts.get(key) ?? 0) + 1
      lasts.set(key, occurrence)
      const says = describe(key, content)
      const isAnother = others.get(key)?.some((each) => describe(key, each.content) !== says) ?? false
      return { line, key, occurrence, isAnother: isAnother && line.bankReference !== null }
    })
  return { fresh, known: identified.flatMap(({ line }) => found.get(line) ?? []) }
}

const isSameBalance = (a: Balance, b: Balance) =>
  a.currency === b.currency && a.direction === b.direction && toUnits(a.amount) === toUnits(b.amount)

/** Whether a statement begins where a stored one of another number ended. */
export function continuesStatement(
  statement: { number: string | null; opening: Balance | null },
  stored: { number: string | null; closing: Balance | null },
): boolean {
  if (!statement.opening || !stored.closing || statement.number === stored.number) return false
  return isSameBalance(statement.opening, stored.closing)
}
