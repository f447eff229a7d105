import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { getLineDay } from './days.ts'
import { isOverlapping, listMentions, foldLookAlikes, listDeletions } from './references.ts'
import { isCompany, listNameKeys } from './name-tokens.ts'
import { listPayerAccounts, listPayerNames } from './line-facts.ts'
import { toAmountKey } from './sums.ts'
import { type OrderKeyKind, orderKeyKinds } from './lookup.ts'

/** Everything that has to be looked up for one or more lines. */
export interface SearchKeys {
  orders: Record<OrderKeyKind, Set<string>>
  /** Words that may be an order's number with one typing error. `orders.nearby` has the keys of each. */
  garbled: Set<string>
  /** The keys of `orders.amount` with the day of each line. */
  amounts: { key: string; day: string | null }[]
  names: Set<string>
  /** Two words of one name each. More people have one of its words than have both. */
  namePairs: [string, string][]
  /** Accounts of payers. */
  accounts: Set<string>
  /** Amounts of debits, as `toAmountKey` gives them. An earlier credit may be taken back. */
  credits: Set<string>
}

/** The words that may be order numbers as they stand. */
export function listNumberKeys(lines: Iterable<StatementLine>, numberLengths: ReadonlySet<number>): Set<string> {
  const keys = new Set<string>()
  for (const line of lines) {
    if (line.booking !== 'booked') continue
    for (const { mentions } of listMentions(line, numberLengths))
      for (const { kind, key } of mentions) if (kind === 'number') keys.add(key)
  }
  return keys
}

/**
 * Lists the keys of a batch of lines. A line that the bank has not booked needs none. With `isNumber`, which says whether a
 * word is an order's number, what such a number explains is not searched for typing errors.
 */
export function buildSearchKeys(
  lines: Iterable<StatementLine>,
  numberLengths: ReadonlySet<number>,
  isNumber: (key: string) => boolean = () => false,
): SearchKeys {
  const keys: SearchKeys = {
    orders: Object.fromEntries(orderKeyKinds.map((kind) => [kind, new Set<string>()])) as SearchKeys['orders'],
    garbled: new Set(),
    amounts: [],
    names: new Set(),
    namePairs: [],
    accounts: new Set(),
    credits: new Set(),
  }
  for (const line of lines) {
    if (line.booking !== 'booked') continue
    addReferences(keys, line, numberLengths, isNumber)
    const amountKey = toAmountKey(line.currency, line.amount)
    if (line.direction === 'debit') {
      keys.credits.add(amountKey)
      continue
    }
    keys.orders.amount.add(amountKey)
    keys.amounts.push({ key: amountKey, day: getLineDay(line) })
    for (const account of listPayerAccounts(line)) keys.accounts.add(account)
    for (const text of listNamingTexts(line)) addNames(keys, text)
  }
  return keys
}

/** The most words of a text that are combined. A name has fewer. */
const mostCombined = 6

function addNames({ names, namePairs }: SearchKeys, text: string) {
  const found = listNameKeys(text)
  for (const key of found) names.add(key)
  const words = [...new Set(found.filter((key) => !key.startsWith('~')))].slice(0, mostCombined)
  for (const [at, one] of words.entries()) for (const other of words.slice(at + 1)) namePairs.push([one, other])
}

function addReferences(
  { orders, garbled }: SearchKeys,
  line: StatementLine,
  numberLengths: ReadonlySet<number>,
  isNumber: (key: string) => boolean,
) {
  for (const { mentions } of listMentions(line, numberLengths)) {
    const hits = mentions.filter(({ kind, key }) => kind === 'number' && isNumber(key))
    for (const mention of mentions) {
      const { kind, key } = mention
      const isExplained = hits.some((hit) => isOverlapping(hit, mention))
      if (isExplained && (kind === 'garbled' || kind === 'digits')) continue
      if (kind !== 'garbled') {
        orders[kind].add(key)
        continue
      }
      garbled.add(key)
      orders.lookAlike.add(foldLookAlikes(key))
      for (const near of listDeletions(key)) orders.nearby.add(near)
    }
  }
}

/** The texts that may hold the member's name: the payer's name, or all texts where it is not one or a company's. */
export function listNamingTexts(line: StatementLine): string[] {
  const names = listPayerNames(line)
  return names.every((name) => isCompany(name)) ? [...names, ...line.remittance, ...line.info] : names
}
