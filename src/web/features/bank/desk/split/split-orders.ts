import type { Candidate, CandidateOrder } from '#contract/schemas/bank-candidates.ts'
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  isZero,
  leastAmount,
  readPositiveAmount,
  subtractAmount,
} from '#web/bank/amounts.ts'
import type { Split, SplitPart } from './split-state.ts'

export type OrderPart = Extract<SplitPart, { purpose: 'order' }>
const isOrderPart = (part: SplitPart): part is OrderPart => part.purpose === 'order'
const isPositive = (amount: string) => compareAmounts(amount, '0') > 0

/** The most places that an amount of a line has. */
const mostPlaces = 5

/** The amount of a part, as it is typed; 0 while it can't be read. */
export const readPartAmount = ({ typed }: SplitPart): string => readPositiveAmount(typed, mostPlaces).amount ?? '0'

/** How much more an order takes: one that was marked paid by hand takes its amount too. */
export const calculateRoom = ({ investmentAmount, received, outstanding, paidVia }: CandidateOrder): string =>
  paidVia === 'hand' && isZero(outstanding) ? subtractAmount(investmentAmount, received) : outstanding

/** How much of the rest a part takes: an order no more than it waits for. Of what is too much, below 0, no more than it has. */
export function calculateShare(part: SplitPart, rest: string): string {
  const amount = readPartAmount(part)
  if (!isPositive(rest)) return subtractAmount('0', leastAmount(amount, subtractAmount('0', rest)))
  if (!isOrderPart(part)) return rest
  const room = part.refusal === null ? subtractAmount(calculateRoom(part.order), amount) : '0'
  return isPositive(room) ? leastAmount(rest, room) : '0'
}

/** The last order that takes some of the rest, or gives some of what is too much, and how much; undefined where none does. */
export const findRestOffer = (
  parts: readonly SplitPart[],
  rest: string,
): { part: OrderPart; share: string } | undefined =>
  parts
    .filter(isOrderPart)
    .map((part) => ({ part, share: calculateShare(part, rest) }))
    .findLast(({ share }) => !isZero(share))

export const listOrders = (parts: readonly SplitPart[]): CandidateOrder[] =>
  parts.filter(isOrderPart).map(({ order }) => order)

/** The ids of the orders that get a part. */
export const listOrderIds = (parts: readonly SplitPart[]): string[] => listOrders(parts).map(({ id }) => id)

/** The split with its orders as they are now. What is typed stays. */
export const renewOrders = (split: Split, judged: ReadonlyMap<string, Candidate>): Split => ({
  ...split,
  parts: split.parts.map((part) => (isOrderPart(part) ? renewOrder(part, judged.get(part.order.id)) : part)),
})

function renewOrder(part: OrderPart, candidate: Candidate | undefined): OrderPart {
  const order = candidate?.orders.find(({ id }) => id === part.order.id)
  if (!candidate || !order) return part
  return { ...part, order, refusal: candidate.refusal, needsReason: candidate.needsReason }
}

/**
 * What each order gets beyond what it waits for, by the key of its part. None where all of that together is little enough for the
 * policy to put it aside (product 7.11).
 */
export function listExcess(parts: readonly SplitPart[], overpaidUpTo: string): ReadonlyMap<string, string> {
  const found = parts
    .filter(isOrderPart)
    .map((part) => [part.key, subtractAmount(readPartAmount(part), calculateRoom(part.order))] as const)
    .filter(([, excess]) => isPositive(excess))
  const sum = addAmounts('0', ...found.map(([, excess]) => excess))
  return new Map(compareAmounts(sum, overpaidUpTo) > 0 ? found : [])
}

/** Why an order can't have its part, of which so much is too much; null where it can, and for other parts. */
export function findPartProblem(part: SplitPart, excess: string): string | null {
  if (!isOrderPart(part)) return null
  const { order, refusal } = part
  if (refusal !== null) return refusal
  const room = calculateRoom(order)
  if (isZero(room)) return `${order.orderNumber} waits for nothing.`
  return isPositive(excess) ? `${order.orderNumber} waits for ${formatAmount(room)} ${order.currency} only.` : null
}

/** How the orders of a split stand now, for an operator who has typed before: "ORD-7 waits for 30.00 EUR". */
export const describeOrders = (parts: readonly SplitPart[]): string[] =>
  parts.filter(isOrderPart).map((part) => {
    const { orderNumber, currency } = part.order
    const room = calculateRoom(part.order)
    return isZero(room)
      ? `${orderNumber} waits for nothing`
      : `${orderNumber} waits for ${formatAmount(room)} ${currency}`
  })
