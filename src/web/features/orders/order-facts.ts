import { canMove, operatorMoves } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { displayName } from '#contract/users.ts'

/** The member of an order. */
export const getMember = ({ userFirstName, userLastName, userEmail, userBanned, userBannedReason }: Order) => ({
  legalFirstName: userFirstName,
  legalLastName: userLastName,
  email: userEmail,
  kycBanned: userBanned,
  bannedReason: userBannedReason,
})
export const getMemberName = (order: Order) => displayName(getMember(order))

const getBrowserTime = () => new Date().toISOString()

/** Whether an order waits for payment, by the browser's clock. The server decides by its own. */
export const isOpen = (order: Order) => order.status === 'waiting_payment' && order.expiresAt > getBrowserTime()

/** The moves that the operator can make, by the same clock. */
export const listMoves = (order: Order) => operatorMoves.filter((to) => canMove(to, order, getBrowserTime()))
