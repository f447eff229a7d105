import { fromUnits, toUnits } from '#server/features/bank/readers/decimal.ts'
import type { StatementLine } from '#server/features/bank/readers/statement.ts'
import { listNameKeys } from './name-tokens.ts'
import { comparePayer } from './payer.ts'
import { fewestDigits, foldDigits, foldLookAlikes, foldNumber, listDeletions } from './reference-keys.ts'
import { getOutstanding, isOpen, toAmountKey } from './sums.ts'
import type { EarlierCredit, MatchMember, MatchOrder, MatchPart, MatchWorld, OrderKeyKind } from './world.ts'

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

export interface WorldContent {
  orders: readonly MatchOrder[]
  members: readonly MatchMember[]
  /** Accounts that were confirmed for a member. */
  accounts?: readonly { account: string; memberId: string }[]
  ownAccounts?: readonly string[]
}

/** A world in memory, for tests and measurements. Its orders change with what is applied. */
export class MemoryWorld implements MatchWorld {
  readonly numberLengths = new Set<number>()
  readonly #orders = new Map<string, MatchOrder>()
  readonly #ordersByKey = new KeyedSets<string>()
  readonly #ordersOfMember = new KeyedSets<string>()
  readonly #members = new Map<string, MatchMember>()
  readonly #membersByName = new KeyedSets<MatchMember>()
  readonly #owners = new KeyedSets<string>()
  readonly #accounts = new KeyedSets<string>()
  readonly #credits: EarlierCredit[] = []
  readonly #ownAccounts: ReadonlySet<string>

  constructor({ orders, members, accounts = [], ownAccounts = [] }: WorldContent) {
    this.#ownAccounts = new Set(ownAccounts)
    for (const member of members) {
      this.#members.set(member.id, member)
      for (const key of listNameKeys(`${member.firstName ?? ''} ${member.lastName ?? ''}`))
        this.#membersByName.add(key, member)
    }
    for (const order of orders) this.#addOrder(order)
    for (const { account, memberId } of accounts) this.#addAccount(account, memberId)
  }

  #addAccount(account: string, memberId: string) {
    this.#owners.add(account, memberId)
    this.#accounts.add(memberId, account)
  }

  #addOrder(order: MatchOrder) {
    this.#orders.set(order.id, order)
    this.#ordersOfMember.add(order.memberId, order.id)
    this.numberLengths.add(foldNumber(order.orderNumber).length)
    for (const [kind, key] of listOrderKeys(order)) this.#ordersByKey.add(`${kind} ${key}`, order.id)
  }

  getOrder(id: string): MatchOrder {
    const order = this.#orders.get(id)
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

  isOwnAccount(iban: string): boolean {
    return this.#ownAccounts.has(iban)
  }

  /** Applies the money of a line as a person or the policy decided. The payer's account is then known as the member's. */
  applyParts(line: StatementLine, parts: readonly MatchPart[], refundDue: string | null = null) {
    for (const { orderId, amount } of parts) this.#payOrder(line, this.getOrder(orderId), amount)
    this.#credits.push({
      lineId: String(this.#credits.length + 1),
      amount: line.amount,
      currency: line.currency,
      bookedOn: line.bookedOn,
      endToEndId: line.endToEndId,
      payerAccount: line.counterparty.iban,
      payerName: line.counterparty.name,
      orders: parts.map(({ orderId }) => this.getOrder(orderId)),
      parts,
      refundDue,
    })
  }

  #payOrder(line: StatementLine, before: MatchOrder, amount: string) {
    const received = toUnits(before.received) + toUnits(amount)
    const isPaid = received >= toUnits(before.investmentAmount)
    for (const [kind, key] of listOrderKeys(before)) this.#ordersByKey.remove(`${kind} ${key}`, before.id)
    this.#addOrder({ ...before, received: fromUnits(received), status: isPaid ? 'paid' : before.status })
    const member = this.#members.get(before.memberId)
    const { iban } = line.counterparty
    if (iban && member && comparePayer(line, member, this).isMember) this.#addAccount(iban, member.id)
  }
}

/** The keys by which an order is found, as the database keeps them. */
function listOrderKeys(order: MatchOrder): [OrderKeyKind, string][] {
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
