import type { StatementLine } from '#server/features/bank/readers/statement.ts'
import { listMentions } from './mentions.ts'
import { isCompany, listNameKeys } from './name-tokens.ts'
import { getPayerNames } from './payer.ts'
import { foldLookAlikes, listDeletions } from './reference-keys.ts'
import { toAmountKey } from './sums.ts'
import { type OrderKeyKind, orderKeyKinds } from './world.ts'

/** Everything that has to be looked up for one or more lines. */
export interface SearchKeys {
  orders: Record<OrderKeyKind, Set<string>>
  names: Set<string>
  /** Accounts of payers. */
  accounts: Set<string>
  /** Amounts of debits, as `toAmountKey` gives them. An earlier credit may be taken back. */
  credits: Set<string>
}

/** Lists the keys of a batch of lines. A line that the bank has not booked needs none. */
export function buildSearchKeys(lines: Iterable<StatementLine>, numberLengths: ReadonlySet<number>): SearchKeys {
  const keys: SearchKeys = {
    orders: Object.fromEntries(orderKeyKinds.map((kind) => [kind, new Set<string>()])) as SearchKeys['orders'],
    names: new Set(),
    accounts: new Set(),
    credits: new Set(),
  }
  for (const line of lines) {
    if (line.booking !== 'booked') continue
    addReferences(keys, line, numberLengths)
    const amountKey = toAmountKey(line.currency, line.amount)
    if (line.direction === 'debit') {
      keys.credits.add(amountKey)
      continue
    }
    keys.orders.amount.add(amountKey)
    if (line.counterparty.iban) keys.accounts.add(line.counterparty.iban)
    for (const text of listNamingTexts(line)) for (const key of listNameKeys(text)) keys.names.add(key)
  }
  return keys
}

function addReferences({ orders }: SearchKeys, line: StatementLine, numberLengths: ReadonlySet<number>) {
  for (const { mentions } of listMentions(line, numberLengths)) {
    for (const { kind, key } of mentions) {
      if (kind !== 'garbled') {
        orders[kind].add(key)
        continue
      }
      orders.lookAlike.add(foldLookAlikes(key))
      for (const near of listDeletions(key)) orders.nearby.add(near)
    }
  }
}

/** The texts that may hold the member's name: the payer's name, or all texts where it is none or a company's. */
export function listNamingTexts(line: StatementLine): string[] {
  const names = getPayerNames(line)
  return names.every((name) => isCompany(name)) ? [...names, ...line.remittance, ...line.info] : names
}
