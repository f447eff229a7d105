import { fromUnits } from '#server/lib/decimal.ts'
import { listNameKeys } from './name-tokens.ts'
import { fewestDigits, foldDigits, foldLookAlikes, foldNumber, listDeletions } from './references.ts'
import { getOutstanding, isOpen, toAmountKey } from './sums.ts'
import type { EarlierCredit, EarlierTransfer, MatchMember, MatchOrder, MatchLookup, OrderKeyKind } from './lookup.ts'

/** Sets of values by key. */
class KeyedSets<Value> {
  readonly #sets = new Map<string, Set<Value>>()

  add(key: string, value: Value) {
    const known = this.#sets.get(key)
    if (known) known.add(value)
    else this.#sets.set(key, new Set([value]))
  }

  remove(key: string, value: Value) {
    this.#sets.get(key)?.delete(value)
  }

  get(key: string): Value[] {
    return [...(this.#sets.get(key) ?? [])]
  }
}

export interface LookupContent {
  orders: readonly MatchOrder[]
  members: readonly MatchMember[]
  /** Accounts that were confirmed for a member. */
  accounts?: readonly { account: string; memberId: string }[]
  ownAccounts?: readonly string[]
  credits?: readonly EarlierCredit[]
  transfers?: readonly EarlierTransfer[]
  /** Of orders that are not in `orders`. */
  numberLengths?: Iterable<number>
}

/** Orders, members and accounts under the keys by which they are looked up. */
export class IndexedLookup implements MatchLookup {
  readonly numberLengths: Set<number>
  readonly #orders = new Map<string, MatchOrder>()
  readonly #ordersByKey = new KeyedSets<string>()
  readonly #ordersOfMember = new KeyedSets<string>()
  readonly #members = new Map<string, MatchMember>()
  readonly #membersByName = new KeyedSets<MatchMember>()
  readonly #owners = new KeyedSets<string>()
  readonly #accounts = new KeyedSets<string>()
  readonly #credits: EarlierCredit[] = []
  readonly #transfers: readonly EarlierTransfer[]
  readonly #ownAccounts: ReadonlySet<string>

  constructor({ orders, members, accounts = [], credits = [], ...more }: LookupContent) {
    this.numberLengths = new Set(more.numberLengths)
    this.#ownAccounts = new Set(more.ownAccounts)
    this.#transfers = more.transfers ?? []
    for (const member of members) {
      this.#members.set(member.id, member)
      for (const key of listNameKeys(`${member.firstName ?? ''} ${member.lastName ?? ''}`))
        this.#membersByName.add(key, member)
    }
    for (const order of orders) this.addOrder(order)
    for (const { account, memberId } of accounts) this.addAccount(account, memberId)
    for (const credit of credits) this.addCredit(credit)
  }

  protected addAccount(account: string, memberId: string) {
    this.#owners.add(account, memberId)
    this.#accounts.add(memberId, account)
  }

  protected addOrder(order: MatchOrder) {
    this.#orders.set(order.id, order)
    this.#ordersOfMember.add(order.memberId, order.id)
    this.numberLengths.add(foldNumber(order.orderNumber).length)
    for (const [kind, key] of listOrderKeys(order)) this.#ordersByKey.add(`${kind} ${key}`, order.id)
  }

  protected replaceOrder(order: MatchOrder) {
    const before = this.getOrder(order.id)
    for (const [kind, key] of listOrderKeys(before)) this.#ordersByKey.remove(`${kind} ${key}`, before.id)
    this.addOrder(order)
  }

  protected addCredit(credit: EarlierCredit) {
    this.#credits.push(credit)
  }

  protected countCredits = (): number => this.#credits.length

  findOrder(id: string): MatchOrder | undefined {
    return this.#orders.get(id)
  }

  getOrder(id: string): MatchOrder {
    const order = this.findOrder(id)
    if (!order) throw new Error(`There is no order ${id}`)
    return order
  }

  findOrders(kind: OrderKeyKind, key: string): MatchOrder[] {
    return this.#ordersByKey.get(`${kind} ${key}`).map((id) => this.getOrder(id))
  }

  findOpenOrders(memberId: string): MatchOrder[] {
    return this.#ordersOfMember
      .get(memberId)
      .map((id) => this.getOrder(id))
      .filter(isOpen)
  }

  findMember(id: string): MatchMember | undefined {
    return this.#members.get(id)
  }

  findMembersByName(nameKey: string): MatchMember[] {
    return this.#membersByName.get(nameKey).filter(({ id }) => this.findOpenOrders(id).length > 0)
  }

  findAccountOwners(account: string): string[] {
    return this.#owners.get(account)
  }

  findAccounts(memberId: string): string[] {
    return this.#accounts.get(memberId)
  }

  findCredits(currency: string, amount: string): EarlierCredit[] {
    const key = toAmountKey(currency, amount)
    const hasAmount = (credit: EarlierCredit) =>
      [credit.amount, credit.refundDue].some((each) => each !== null && toAmountKey(credit.currency, each) === key)
    return this.#credits.filter(hasAmount)
  }

  findDueCredits(account: string, currency: string): EarlierCredit[] {
    const isDue = (credit: EarlierCredit) => credit.payerAccount === account && credit.currency === currency
    return this.#credits.filter((credit) => credit.refundDue !== null && isDue(credit))
  }

  findTransfers(accountId: string | undefined): EarlierTransfer[] {
    return this.#transfers.filter((transfer) => accountId === undefined || transfer.accountId === accountId)
  }

  isOwnAccount(iban: string): boolean {
    return this.#ownAccounts.has(iban)
  }
}

/** The keys by which an order is found, as the database keeps them. */
export function listOrderKeys(order: MatchOrder): [OrderKeyKind, string][] {
  const number = foldNumber(order.orderNumber)
  const digits = foldDigits(number)
  const keys: [OrderKeyKind, string][] = [
    ['number', number],
    ['lookAlike', foldLookAlikes(number)],
  ]
  if (order.paymentReference) keys.push(['rf', order.paymentReference])
  if (digits.length >= fewestDigits) keys.push(['digits', digits])
  if (!isOpen(order)) return keys
  keys.push(['amount', toAmountKey(order.currency, fromUnits(getOutstanding(order)))])
  return [...keys, ...[...listDeletions(number)].map((key): [OrderKeyKind, string] => ['nearby', key])]
}
