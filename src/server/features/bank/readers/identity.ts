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

/** The bank's reference is never enough: batches and reversals repeat it. */
function identityOf({ bankReference, batch, remittance, endToEndId, counterparty }: StatementLine) {
  if (bankReference) return ['ref', bankReference, batch?.isRest ? 'rest' : (batch?.index ?? '')]
  // Whoever wrote them, name and account tell equal payments apart.
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

export interface IdentifiedLine {
  line: StatementLine
  key: string
  /** From 1, among the equal lines of its statement. */
  ordinal: number
}

/** Counts equal lines. `seen` holds how many of each key the statement had so far, and is counted on. */
export function identifyLines(
  accountId: string,
  lines: readonly StatementLine[],
  seen: Map<string, number>,
): IdentifiedLine[] {
  return lines.map((line) => {
    const key = lineKey(accountId, line)
    const ordinal = (seen.get(key) ?? 0) + 1
    seen.set(key, ordinal)
    return { line, key, ordinal }
  })
}

export interface NewLine extends IdentifiedLine {
  /** From 1, among all lines of the account that are equal. */
  occurrence: number
}

/** How many lines of a key are stored, and how many of them stand in statements that the present one continues. */
export interface StoredCount {
  stored: number
  before: number
}

/**
 * Divides lines into new and known ones. Equal lines of statements that this one continues are other payments; those of any
 * other statement are the lines themselves, which came before.
 */
export function divideLines(
  identified: readonly IdentifiedLine[],
  counts: ReadonlyMap<string, StoredCount>,
): { fresh: NewLine[]; known: NewLine[] } {
  const fresh: NewLine[] = []
  const known: NewLine[] = []
  for (const each of identified) {
    const { stored, before } = counts.get(each.key) ?? { stored: 0, before: 0 }
    const occurrence = before + each.ordinal
    const list = occurrence > stored ? fresh : known
    list.push({ ...each, occurrence })
  }
  return { fresh, known }
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
