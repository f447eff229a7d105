import { canMove, describeBankMoney, hasBankMoney, operatorMoves } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { displayName } from '#contract/members.ts'
import { isZero, leastAmount, subtractAmount } from '#web/bank/amounts.ts'
import { getServerNow } from '#web/lib/clock.ts'
import { formatDecimal } from '#web/lib/money.ts'

/** The member of an order. */
export const getMember = ({ userFirstName, userLastName, userEmail, userBanned, userBannedReason }: Order) => ({
  legalFirstName: userFirstName,
  legalLastName: userLastName,
  email: userEmail,
  kycBanned: userBanned,
  bannedReason: userBannedReason,
})
export const getMemberName = (order: Order) => displayName(getMember(order))

const readNow = () => new Date(getServerNow()).toISOString()

/** Whether an order waits for payment, as far as the page knows. The server decides. */
export const isOpen = (order: Order) => order.status === 'waiting_payment' && !isOver(order)

/** Whether the time to pay is over, by the same clock. */
export const isOver = ({ expiresAt }: Order) => expiresAt <= readNow()

/** The moves that the operator can make, by the same clock. */
export const listMoves = (order: Order) => operatorMoves.filter((to) => canMove(to, order, readNow()))

/** Why the operator may make none of these moves now: the bank's money is on the order. Null where it is not. */
export const describeObstacle = (order: Order): string | null =>
  hasBankMoney(order) ? describeBankMoney({ ...order, received: formatDecimal(order.received, 2) }) : null

/** How much of the amount has come, for bars and rings. It is full only when all has. */
export function getReceivedPercent({ received, investmentAmount }: Order): number {
  const share = (Number(received) / Number(investmentAmount)) * 100
  return Number.isFinite(share)
    ? Math.min(share, formatDecimal(received) === formatDecimal(investmentAmount) ? 100 : 99)
    : 0
}

/** What the bank took back of an order after it was completed. Null where it has its money. */
export function findOwed({
  status,
  paidVia,
  investmentAmount,
  received,
}: Pick<Order, 'status' | 'paidVia' | 'investmentAmount' | 'received'>): string | null {
  if (status !== 'completed' || paidVia !== 'bank') return null
  const owed = subtractAmount(investmentAmount, received)
  return isZero(owed) ? null : owed
}

/**
 * What the bank took back of the money behind an order that was marked paid by hand, as far as no other has come. Null
 * where it has its money, or never had any.
 */
export function findTakenBackByHand(
  { paidVia, investmentAmount, received }: Pick<Order, 'paidVia' | 'investmentAmount' | 'received'>,
  takenBack: string,
): string | null {
  if (paidVia !== 'hand' || isZero(takenBack)) return null
  const missing = subtractAmount(investmentAmount, received)
  return isZero(missing) ? null : leastAmount(missing, takenBack)
}
