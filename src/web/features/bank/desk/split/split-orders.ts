import type { CandidateOrder, OrderCandidate } from '#contract/schemas/bank-candidates.ts'
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  isZero,
  leastAmount,
  readPositiveAmount,
  subtractAmount,
} from '#web/bank/amounts.ts'
import type { Split, SplitAllocation } from './split-state.ts'

export type OrderAllocation = Extract<SplitAllocation, { purpose: 'order' }>
const isOrderAllocation = (allocation: SplitAllocation): allocation is OrderAllocation => allocation.purpose === 'order'
const isPositive = (amount: string) => compareAmounts(amount, '0') > 0

/** The most places that an amount of a line has. */
const mostPlaces = 5

/** The amount of an allocation, as it is typed; 0 while it can't be read. */
export const readTyped = ({ typed }: SplitAllocation): string => readPositiveAmount(typed, mostPlaces).amount ?? '0'

/** How much more an order takes: one that was marked paid by hand takes its amount too. */
export const calculatePayable = ({ investmentAmount, received, outstanding, paidVia }: CandidateOrder): string =>
  paidVia === 'hand' && isZero(outstanding) ? subtractAmount(investmentAmount, received) : outstanding

/** How much of the rest an allocation takes: an order no more than it waits for. Of what is too much, below 0, no more than it has. */
export function calculateShare(allocation: SplitAllocation, rest: string): string {
  const amount = readTyped(allocation)
  if (!isPositive(rest)) return subtractAmount('0', leastAmount(amount, subtractAmount('0', rest)))
  if (!isOrderAllocation(allocation)) return rest
  const payable = allocation.refusal === null ? subtractAmount(calculatePayable(allocation.order), amount) : '0'
  return isPositive(payable) ? leastAmount(rest, payable) : '0'
}

/** The last order that takes some of the rest, or gives some of what is too much, and how much; undefined where none does. */
export const findRestOffer = (
  allocations: readonly SplitAllocation[],
  rest: string,
): { allocation: OrderAllocation; share: string } | undefined =>
  allocations
    .filter(isOrderAllocation)
    .map((allocation) => ({ allocation, share: calculateShare(allocation, rest) }))
    .findLast(({ share }) => !isZero(share))

export const listOrders = (allocations: readonly SplitAllocation[]): CandidateOrder[] =>
  allocations.filter(isOrderAllocation).map(({ order }) => order)

/** The ids of the orders that get an allocation. */
export const listOrderIds = (allocations: readonly SplitAllocation[]): string[] =>
  listOrders(allocations).map(({ id }) => id)

/** The split with its orders as they are now. What is typed stays. */
export const renewOrders = (split: Split, scored: ReadonlyMap<string, OrderCandidate>): Split => ({
  ...split,
  allocations: split.allocations.map((allocation) =>
    isOrderAllocation(allocation) ? renewOrder(allocation, scored.get(allocation.order.id)) : allocation,
  ),
})

function renewOrder(allocation: OrderAllocation, candidate: OrderCandidate | undefined): OrderAllocation {
  const order = candidate?.orders.find(({ id }) => id === allocation.order.id)
  if (!candidate || !order) return allocation
  return { ...allocation, order, refusal: candidate.refusal, needsReason: candidate.needsReason }
}

/**
 * What each order gets beyond what it waits for, by the key of its allocation. None where all of that together is little enough for the
 * policy to put it aside (product 7.11).
 */
export function listExcess(allocations: readonly SplitAllocation[], overpaidUpTo: string): ReadonlyMap<string, string> {
  const found = allocations
    .filter(isOrderAllocation)
    .map(
      (allocation) =>
        [allocation.key, subtractAmount(readTyped(allocation), calculatePayable(allocation.order))] as const,
    )
    .filter(([, excess]) => isPositive(excess))
  const sum = addAmounts('0', ...found.map(([, excess]) => excess))
  return new Map(compareAmounts(sum, overpaidUpTo) > 0 ? found : [])
}

/** Why an order can't have its allocation, of which so much is too much; null where it can, and for other allocations. */
export function findProblem(allocation: SplitAllocation, excess: string): string | null {
  if (!isOrderAllocation(allocation)) return null
  const { order, refusal } = allocation
  if (refusal !== null) return refusal
  const payable = calculatePayable(order)
  if (isZero(payable)) return `${order.orderNumber} waits for nothing.`
  return isPositive(excess) ? `${order.orderNumber} waits for ${formatAmount(payable)} ${order.currency} only.` : null
}

/** How the orders of a split stand now, for an operator who has typed before: "ORD-7 waits for 30.00 EUR". */
export const describeOrders = (allocations: readonly SplitAllocation[]): string[] =>
  allocations.filter(isOrderAllocation).map((allocation) => {
    const { orderNumber, currency } = allocation.order
    const payable = calculatePayable(allocation.order)
    return isZero(payable)
      ? `${orderNumber} waits for nothing`
      : `${orderNumber} waits for ${formatAmount(payable)} ${currency}`
  })
