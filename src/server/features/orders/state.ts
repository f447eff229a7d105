import { orderStatusLabels, type OrderStatus } from '#contract/orders.ts'
import { AppError, conflict } from '#server/errors.ts'

interface OrderState {
  status: OrderStatus
  expiresAt: string
  statusChangedBy: string | null
  statusChangedAt: string | null
}

/** Whom the job that expires orders acts as. */
export const expiryActor = 'system'

/** From `expiresAt` on an order counts as expired, also before the job has come by (PRODUCT 3.13). */
const isDue = ({ status, expiresAt }: OrderState, now: string) => status === 'waiting_payment' && expiresAt <= now

/** The refusal of what the present state forbids: that state, who set it and when (PRODUCT 3.5). */
export function stateConflict(order: OrderState, now: string): AppError {
  if (isDue(order, now)) return conflict('This order is expired', expiryActor, order.expiresAt)
  const state = orderStatusLabels[order.status].toLowerCase()
  return conflict(`This order is ${state}`, order.statusChangedBy, order.statusChangedAt)
}

/** Whether the platform may still change the order itself (PRODUCT section 4). */
export const isChangeable = (order: OrderState, now: string) => order.status === 'waiting_payment' && !isDue(order, now)
