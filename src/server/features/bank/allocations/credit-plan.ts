import type { IgnoreCode, PartPurpose, RefundCause } from '#contract/bank-allocations.ts'
import type { NewPart } from '#contract/schemas/bank-allocations.ts'
import type { PolicyRow } from '#server/features/bank/shared/policy.ts'
import { fromUnits, toUnits } from '#server/lib/decimal.ts'
import type { StoredLine } from '#server/features/bank/statements/stored-line.ts'
import { type OrderRow, requirePayable } from '#server/features/orders/service.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { requireLeft } from './line-rules.ts'

/** A part that the rules allow. */
export interface PlannedPart {
  purpose: PartPurpose
  orderId: string | null
  otherLineId: string | null
  /** In units. */
  amount: bigint
  cause: RefundCause | null
  code: IgnoreCode | null
  /** What was closed of the refund that a part of a debit pays back, or what banks kept of the transfer that a part returns. */
  closed?: ClosedRest
  /** Whether it pays back to another account than the payment came from. */
  toOtherAccount?: boolean
}

/** What of a refund is no longer due, and why. */
export interface ClosedRest {
  /** In units. */
  amount: bigint
  code: IgnoreCode
}

const plainPart = { orderId: null, otherLineId: null, cause: null, code: null }

/** What the rules for the parts of a credit look at. Orders by their ids. */
export interface CreditFacts {
  stored: StoredLine
  orders: ReadonlyMap<string, OrderRow>
  /** What the line has paid before, active: decimal strings by order id. */
  paidBefore: ReadonlyMap<string, string>
  policy: Pick<PolicyRow, 'graceDays' | 'overpaidUpTo'>
  /** By the database's clock. */
  now: string
}

type OrderPart = Extract<NewPart, { purpose: 'order' }>
const isOrderPart = (part: NewPart): part is OrderPart => part.purpose === 'order'

/**
 * The parts of a credit as they will be written, with a small rest put aside where the policy allows it. Throws what forbids
 * them, in the words of product 9.10.
 */
export function planCredit(facts: CreditFacts, given: readonly NewPart[]): PlannedPart[] {
  given.forEach((part, at) => requireCreditPart(part, at, given))
  requireLeft(
    facts.stored,
    given.reduce((sum, { amount }) => sum + toUnits(amount), 0n),
  )
  const paid = given.filter(isOrderPart).map((part) => planOrderPart(facts, part))
  const rest = paid.reduce((sum, { excess }) => sum + excess, 0n)
  const most = toUnits(facts.policy.overpaidUpTo)
  for (const { excess, wanted, order } of paid)
    if (excess > 0n && rest > most) throw buildAmountError(order, wanted, excess)
  const small = { ...plainPart, purpose: 'ignored' as const, amount: rest, code: 'small_difference' as const }
  const others = given.flatMap((part) => (isOrderPart(part) ? [] : [planOtherPart(part)]))
  return [...paid.map(({ part }) => part), ...others, ...(rest > 0n ? [small] : [])]
}

/** Refuses what no credit can be given, whatever its orders are. */
function requireCreditPart(part: NewPart, at: number, given: readonly NewPart[]): void {
  if (part.purpose === 'reversal')
    throw new AppError('line_direction', 'Money that came in takes no payment back: only money that goes out can')
  if (part.purpose === 'refund' && part.lineId !== undefined)
    throw new AppError(
      'line_direction',
      'Money that came in pays nothing back: say for which cause it is to be paid back',
    )
  if (part.purpose === 'refund' && part.closeAs !== undefined)
    throw invalidField(`parts.${at}.closeAs`, 'is for money that went out')
  if (part.purpose === 'refund' && part.cause === undefined)
    throw invalidField(`parts.${at}.cause`, 'is needed where money is to be paid back')
  if (
    part.purpose === 'return' &&
    given.findIndex((one) => one.purpose === 'return' && one.lineId === part.lineId) < at
  )
    throw invalidField(`parts.${at}.lineId`, 'is named before')
  if (isOrderPart(part) && given.findIndex((one) => isOrderPart(one) && one.orderId === part.orderId) < at)
    throw invalidField(`parts.${at}.orderId`, 'is named before')
}

function planOrderPart({ stored, orders, paidBefore, policy, now }: CreditFacts, given: OrderPart) {
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
  const part: PlannedPart = { ...plainPart, purpose: 'order', orderId: order.id, amount: amount - excess }
  return { order, wanted, excess, part }
}

function buildAmountError({ orderNumber, currency }: OrderRow, wanted: bigint, excess: bigint): AppError {
  const money = (units: bigint) => `${fromUnits(units)} ${currency}`
  return new AppError(
    'order_amount',
    `Order ${orderNumber} waits for ${money(wanted)} only; say what the other ${money(excess)} are for`,
  )
}

function planOtherPart(part: Exclude<NewPart, OrderPart>): PlannedPart {
  const amount = toUnits(part.amount)
  if (part.purpose === 'ignored') return { ...plainPart, purpose: 'ignored', amount, code: part.code }
  if (part.purpose === 'reversal' || part.purpose === 'return')
    return { ...plainPart, purpose: part.purpose, amount, otherLineId: part.lineId }
  const { orderId = null, lineId: otherLineId = null, cause = null } = part
  return { ...plainPart, purpose: 'refund', amount, orderId, otherLineId, cause }
}
