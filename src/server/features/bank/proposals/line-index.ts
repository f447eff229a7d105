import { listOrders } from '#server/features/bank/matching/candidate.ts'
import { likelyName } from '#server/features/bank/matching/rank-candidates.ts'
import { listNameKeys } from '#server/features/bank/matching/name-tokens.ts'
import { compareNames } from '#server/features/bank/matching/names.ts'
import { isReturn } from '#server/features/bank/matching/return-texts.ts'
import { buildSearchKeys, listNamingTexts } from '#server/features/bank/matching/search-keys.ts'
import { toAmountKey } from '#server/features/bank/matching/sums.ts'
import type { MatchMember } from '#server/features/bank/matching/lookup.ts'
import type { StatementLine } from '#server/features/bank/statements/readers/statement.ts'
import { type LineProposal, toOpenLine } from '#server/features/bank/candidates/build-proposal.ts'

interface IndexedLine {
  keys: readonly string[]
  namingTexts: readonly string[]
  /** Orders, members and credits that the last proposal was made of, and the amounts that were looked for. */
  basis: readonly string[]
  /** By what money the other way is found: of a credit what may take it back, of a debit what may return it. */
  otherKeys: readonly string[]
}

export const toOrderKey = (id: string) => `order ${id}`
export const toMemberKey = (id: string) => `member ${id}`
export const toPayerAccountKey = (account: string) => `account ${account}`
const toNameKey = (key: string) => `name ${key}`
const toCreditKey = (lineId: string) => `credit ${lineId}`
const toDebitKey = (amountKey: string) => `debit ${amountKey}`
const toPayeeKey = (account: string) => `payee ${account}`
export const toTransferKey = (lineId: string) => `transfer ${lineId}`
export const toSentKey = (key: string) => `sent ${key}`

/** A payment that came in. */
export interface IndexedCredit {
  lineId: string
  currency: string
  amount: string
  /** What of it is to be paid back. Null where nothing is. */
  due: string | null
  payerAccount: string | null
}

/** By what money out is found that may take the payment back or pay it back, or that it was proposed for. */
export const listCreditKeys = ({ lineId, currency, amount, due, payerAccount }: IndexedCredit): string[] => [
  toCreditKey(lineId),
  ...[amount, ...(due === null ? [] : [due])].map((each) => toDebitKey(toAmountKey(currency, each))),
  ...(payerAccount === null ? [] : [toPayeeKey(payerAccount)]),
]

function listLineKeys(line: StatementLine, numberLengths: ReadonlySet<number>): string[] {
  const { orders, names, accounts } = buildSearchKeys([line], numberLengths)
  const ofOrders = Object.entries(orders).flatMap(([kind, keys]) => [...keys].map((key) => `${kind} ${key}`))
  const { iban } = line.counterparty
  const payee = line.direction === 'debit' && iban ? [toPayeeKey(iban)] : []
  const sent = line.direction === 'credit' ? listSentKeys(line, isReturn(line)) : []
  return [...ofOrders, ...[...names].map(toNameKey), ...[...accounts].map(toPayerAccountKey), ...payee, ...sent]
}

/** By what a credit and the transfer that it may return find each other. */
const listSentKeys = ({ endToEndId, currency, amount }: StatementLine, hasAmount: boolean): string[] => [
  ...(endToEndId === null ? [] : [toSentKey(endToEndId)]),
  ...(hasAmount ? [toSentKey(toAmountKey(currency, amount))] : []),
]

const listOtherKeys = ({ id, line }: LineProposal['stored']): string[] =>
  line.direction === 'debit'
    ? listSentKeys(line, true)
    : listCreditKeys({ ...line, lineId: id, due: null, payerAccount: line.counterparty.iban })

/** The amount that is left of a line, as its candidates are looked for. It changes with the allocations of the line. */
function listAmountKeys(stored: LineProposal['stored']): string[] {
  const { currency, amount, direction } = toOpenLine(stored)
  const key = toAmountKey(currency, amount)
  return [direction === 'debit' ? toDebitKey(key) : `amount ${key}`]
}

/** What the proposal was made of. When one of these changes, another proposal may fit better. */
const listBasis = ({ stored, candidates, named }: LineProposal): string[] => {
  const orders = [...candidates.flatMap(listOrders), ...named.map(({ order }) => order)]
  const credits = candidates.flatMap((each) => ('credits' in each ? each.credits : []))
  const transfers = candidates.flatMap((each) => ('transfer' in each ? [each.transfer] : []))
  return [
    ...orders.flatMap(({ id, memberId }) => [toOrderKey(id), toMemberKey(memberId)]),
    ...credits.map(({ lineId }) => toCreditKey(lineId)),
    ...transfers.map(({ lineId }) => toTransferKey(lineId)),
    ...listAmountKeys(stored),
  ]
}

/** The lines that are work, by all that they may be matched by. In memory, and as new as the last pass. */
export class LineIndex {
  readonly #lines = new Map<string, IndexedLine>()
  readonly #idsByKey = new Map<string, Set<string>>()

  readonly numberLengths: ReadonlySet<number>

  constructor(numberLengths: ReadonlySet<number>) {
    this.numberLengths = numberLengths
  }

  /** Keeps a line under its keys and under what its proposal was made of. */
  set(proposal: LineProposal) {
    const { id, line } = proposal.stored
    const known = this.#lines.get(id)
    this.delete(id)
    const indexed = {
      keys: known?.keys ?? listLineKeys(line, this.numberLengths),
      namingTexts: known?.namingTexts ?? listNamingTexts(line),
      basis: listBasis(proposal),
      otherKeys: known?.otherKeys ?? listOtherKeys(proposal.stored),
    }
    this.#lines.set(id, indexed)
    for (const key of [...indexed.keys, ...indexed.basis]) {
      const ids = this.#idsByKey.get(key)
      if (ids) ids.add(id)
      else this.#idsByKey.set(key, new Set([id]))
    }
  }

  delete(id: string) {
    const known = this.#lines.get(id)
    if (!known) return
    this.#lines.delete(id)
    for (const key of [...known.keys, ...known.basis]) {
      const ids = this.#idsByKey.get(key)
      ids?.delete(id)
      if (ids?.size === 0) this.#idsByKey.delete(key)
    }
  }

  /** The lines that have one of the keys. */
  find(keys: Iterable<string>): Set<string> {
    return new Set([...keys].flatMap((key) => [...(this.#idsByKey.get(key) ?? [])]))
  }

  /** Money out that may take back one of these lines, or pay it back, and money in that may return one. */
  findOthers(ids: readonly string[]): string[] {
    return [...this.find(ids.flatMap((id) => this.#lines.get(id)?.otherKeys ?? []))]
  }

  /** The lines that bear the name of the member. */
  findNamed(member: MatchMember): string[] {
    const nameKeys = listNameKeys(`${member.firstName ?? ''} ${member.lastName ?? ''}`)
    const isNamed = (text: string) => compareNames(text, member).score >= likelyName
    return [...this.find(nameKeys.map(toNameKey))].filter((id) => this.#lines.get(id)!.namingTexts.some(isNamed))
  }
}
