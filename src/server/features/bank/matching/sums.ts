import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { MatchOrder, MatchAllocation } from './lookup.ts'

/** Money can still be applied to the order. To an expired one a person alone applies it. */
export const isOpen = ({ status }: Pick<MatchOrder, 'status'>): boolean =>
  status === 'waiting_payment' || status === 'expired'

/** Money can be applied to the order, attached to one that was marked paid by hand, or come again to one that is owed it. */
export const canTakeMoney = (order: Pick<MatchOrder, 'status' | 'isPaidByHand' | 'isOwed'>): boolean =>
  isOpen(order) || order.isPaidByHand === true || order.isOwed === true

/**
 * What the order still waits for, in units. For a closed order it is what it asked for, so that a second payment of it
 * can be recognised.
 */
export function getOutstanding(order: MatchOrder): bigint {
  const asked = toUnits(order.investmentAmount)
  if (!canTakeMoney(order)) return asked
  const left = asked - toUnits(order.received)
  return left > 0n ? left : 0n
}

export const sumOutstanding = (orders: readonly MatchOrder[]): bigint =>
  orders.reduce((sum, order) => sum + getOutstanding(order), 0n)

/** The key of an amount of a currency, whatever zeros the amount ends with. */
export const toAmountKey = (currency: string, amount: string): string => `${currency} ${fromUnits(toUnits(amount))}`

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/** Divides an amount among orders, the oldest first, each as far as it waits. Closed orders get nothing. */
export function allocateAmount(orders: readonly MatchOrder[], amount: bigint): MatchAllocation[] {
  let left = amount
  const oldestFirst = orders
    .filter(canTakeMoney)
    .toSorted(
      (one, other) => compareText(one.createdAt, other.createdAt) || compareText(one.orderNumber, other.orderNumber),
    )
  return oldestFirst.flatMap((order) => {
    const wanted = getOutstanding(order)
    const part = left < wanted ? left : wanted
    left -= part
    return part > 0n ? [{ orderId: order.id, orderNumber: order.orderNumber, amount: fromUnits(part) }] : []
  })
}

/** The most orders that one payment is taken to pay together. */
const mostCombined = 5
/** The most sets of orders that are found for one payment. */
const mostSets = 10

/** Sets of two to five orders that wait for exactly this amount together. */
export const findExactSets = (orders: readonly MatchOrder[], amount: bigint): MatchOrder[][] =>
  findSetsOfSum(orders, getOutstanding, amount)

/** Sets of two to five items whose parts, in units, are exactly this amount together. */
export function findSetsOfSum<Item>(items: readonly Item[], getPart: (item: Item) => bigint, amount: bigint): Item[][] {
  const usable = items.map((item) => ({ item, part: getPart(item) })).filter(({ part }) => part > 0n)
  const found: Item[][] = []
  const extendSet = (from: number, left: bigint, chosen: Item[]) => {
    if (found.length >= mostSets) return
    if (left === 0n && chosen.length >= 2) found.push(chosen)
    if (chosen.length >= mostCombined || left <= 0n) return
    for (const [offset, { item, part }] of usable.slice(from).entries())
      if (part <= left) extendSet(from + offset + 1, left - part, [...chosen, item])
  }
  extendSet(0, amount, [])
  return found
}

/** The most open orders, or refunds due, that are tried together. */
export const mostTriedTogether = 16

/** What goes, and how much more that is than was missing, in units. */
export interface ChosenAllocations<Item> {
  allocations: Item[]
  kept: bigint
}

/** What goes for `amount` units: one of just this amount, else in the order given until they are enough beyond what is open. */
export function chooseAllocations<Item extends { amount: string }>(
  ordered: readonly Item[],
  amount: bigint,
  open = 0n,
): ChosenAllocations<Item> {
  const exact = ordered.find((each) => toUnits(each.amount) === amount)
  if (exact) return { allocations: [exact], kept: 0n }
  let left = amount - open
  const allocations = ordered.filter((each) => {
    const isNeeded = left > 0n
    if (isNeeded) left -= toUnits(each.amount)
    return isNeeded
  })
  return { allocations, kept: allocations.length > 0 && left < 0n ? -left : 0n }
}
