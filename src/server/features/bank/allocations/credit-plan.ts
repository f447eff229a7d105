import type { WriteOffCode, AllocationPurpose, RefundCause } from '#contract/bank-allocations.ts'
import type { NewAllocation } from '#contract/schemas/bank-allocations.ts'
import type { PolicyRow } from '#server/features/bank/shared/policy.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { type OrderRow, requirePayable } from '#server/features/orders/service.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { requireLeft } from './line-rules.ts'

/** An allocation that the rules allow. */
export interface PlannedAllocation {
  purpose: AllocationPurpose
  orderId: string | null
  otherLineId: string | null
  /** In units. */
  amount: bigint
  cause: RefundCause | null
  code: WriteOffCode | null
  /** What was closed of the refund that an allocation of a debit pays back, or what banks kept of the transfer that an allocation returns. */
  closed?: ClosedRest
  /** Whether it pays back to another account than the payment came from. */
  toOtherAccount?: boolean
}

/** What of a refund is no longer due, and why. */
export interface ClosedRest {
  /** In units. */
  amount: bigint
  code: WriteOffCode
}

/** What a call has written. Orders as they were before it. */
export interface AppliedAllocations {
  allocationIds: string[]
  planned: PlannedAllocation[]
  orders: OrderRow[]
  now: string
}

const plainAllocation = { orderId: null, otherLineId: null, cause: null, code: null }

/** What the rules for the allocations of a credit look at. Orders by their ids. */
export interface CreditFacts {
  stored: StoredLine
  orders: ReadonlyMap<string, OrderRow>
  /** What the line has paid before, active: decimal strings by order id. */
  paidBefore: ReadonlyMap<string, string>
  policy: Pick<PolicyRow, 'graceDays' | 'overpaidUpTo'>
  /** By the database's clock. */
  now: string
}

type OrderAllocation = Extract<NewAllocation, { purpose: 'order' }>
const isOrderAllocation = (allocation: NewAllocation): allocation is OrderAllocation => allocation.purpose === 'order'

/**
 * The allocations of a credit as they will be written, with a small rest put aside where the policy allows it. Throws what forbids
 * them, in the words of product 9.10.
 */
export function planCredit(facts: CreditFacts, given: readonly NewAllocation[]): PlannedAllocation[] {
  given.forEach((allocation, at) => requireCreditAllocation(allocation, at, given))
  requireLeft(
    facts.stored,
    given.reduce((sum, { amount }) => sum + toUnits(amount), 0n),
  )
  const paid = given.filter(isOrderAllocation).map((allocation) => planOrderAllocation(facts, allocation))
  const rest = paid.reduce((sum, { excess }) => sum + excess, 0n)
  const most = toUnits(facts.policy.overpaidUpTo)
  for (const { excess, wanted, order } of paid)
    if (excess > 0n && rest > most) throw buildAmountError(order, wanted, excess)
  const small = { ...plainAllocation, purpose: 'ignored' as const, amount: rest, code: 'small_difference' as const }
  const others = given.flatMap((allocation) => (isOrderAllocation(allocation) ? [] : [planOtherAllocation(allocation)]))
  return [...paid.map(({ planned }) => planned), ...others, ...(rest > 0n ? [small] : [])]
}

/** Refuses what no credit can be given, whatever its orders are. */
function requireCreditAllocation(each: NewAllocation, at: number, given: readonly NewAllocation[]): void {
  if (each.purpose === 'reversal')
    throw new AppError('line_direction', 'Money that came in takes no payment back: only money that goes out can')
  if (each.purpose === 'refund' && each.lineId !== undefined)
    throw new AppError(
      'line_direction',
      'Money that came in pays nothing back: say for which cause it is to be paid back',
    )
  if (each.purpose === 'refund' && each.closeAs !== undefined)
    throw invalidField(`allocations.${at}.closeAs`, 'is for money that went out')
  if (each.purpose === 'refund' && each.cause === undefined)
    throw invalidField(`allocations.${at}.cause`, 'is needed where money is to be paid back')
  if (
    each.purpose === 'return' &&
    given.findIndex((one) => one.purpose === 'return' && one.lineId === each.lineId) < at
  )
    throw invalidField(`allocations.${at}.lineId`, 'is named before')
  if (isOrderAllocation(each) && given.findIndex((one) => isOrderAllocation(one) && one.orderId === each.orderId) < at)
    throw invalidField(`allocations.${at}.orderId`, 'is named before')
}

function planOrderAllocation({ stored, orders, paidBefore, policy, now }: CreditFacts, given: OrderAllocation) {
  const order = orders.get(given.orderId)!
  const { line } = stored
  if (order.currency !== line.currency)
    throw conflict(
      'order_currency',
      `Order ${order.orderNumber} asks for ${order.currency}, the bank booked ${line.currency}`,
    )
  const before = paidBefore.get(order.id)
  if (before !== undefined)
    throw conflict(
      'order_amount',
      `Order ${order.orderNumber} has ${before} ${line.currency} of this line already: undo that first`,
    )
  requirePayable(order, { bookedOn: line.bookedOn ?? line.valueOn, graceDays: policy.graceDays }, now)
  const wanted = toUnits(order.investmentAmount) - toUnits(order.received)
  const amount = toUnits(given.amount)
  const excess = amount > wanted ? amount - wanted : 0n
  const planned: PlannedAllocation = {
    ...plainAllocation,
    purpose: 'order',
    orderId: order.id,
    amount: amount - excess,
  }
  return { order, wanted, excess, planned }
}

function buildAmountError({ orderNumber, currency }: OrderRow, wanted: bigint, excess: bigint): AppError {
  const money = (units: bigint) => `${fromUnits(units)} ${currency}`
  return new AppError(
    'order_amount',
    `Order ${orderNumber} waits for ${money(wanted)} only; say what the other ${money(excess)} are for`,
  )
}

function planOtherAllocation(allocation: Exclude<NewAllocation, OrderAllocation>): PlannedAllocation {
  const amount = toUnits(allocation.amount)
  if (allocation.purpose === 'ignored') return { ...plainAllocation, purpose: 'ignored', amount, code: allocation.code }
  if (allocation.purpose === 'reversal' || allocation.purpose === 'return')
    return { ...plainAllocation, purpose: allocation.purpose, amount, otherLineId: allocation.lineId }
  const { orderId = null, lineId: otherLineId = null, cause = null } = allocation
  return { ...plainAllocation, purpose: 'refund', amount, orderId, otherLineId, cause }
}
