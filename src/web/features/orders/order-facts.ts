import { canMove, operatorMoves } from '#contract/order-moves.ts'
import type { Order } from '#contract/schemas/orders.ts'
import { displayName } from '#contract/users.ts'

/** Whose order it is. */
export const getMember = ({ userFirstName, userLastName, userEmail, userBanned, userBannedReason }: Order) => ({
  legalFirstName: userFirstName,
  legalLastName: userLastName,
  email: userEmail,
  kycBanned: userBanned,
  bannedReason: userBannedReason,
})
export const getMemberName = (order: Order) => displayName(getMember(order))

const getBrowserTime = () => new Date().toISOString()

/** Whether it waits for payment; by the browser's clock, the server decides by its own. */
export const isOpen = (order: Order) => order.status === 'waiting_payment' && order.expiresAt > getBrowserTime()

/** What the operator can make of it, by the same clock. */
export const listMoves = (order: Order) => operatorMoves.filter((to) => canMove(to, order, getBrowserTime()))
