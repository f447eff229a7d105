export {
  type BankPayment,
  findReversalRefusal,
  isOwed,
  lockOrdersById,
  payByBank,
  readOrdersById,
  requireNotPaidSince,
  requirePayable,
  reversePayment,
} from './bank-payment.ts'
export { readDatabaseTime, expiryActor } from './state.ts'
export { type OrderRow } from './move.ts'
export { announceRefunds, type RefundChange } from './refund-events.ts'
export { findOrderTarget } from './approval-target.ts'
export { getOrder, readOrders, setOrderStatus } from './set-status.ts'
export { buildOrderList, countExpiring, waitingLines } from './list.ts'
export { readPipeline, sumExpiring } from './pipeline.ts'
export { completeOrder } from './complete.ts'
export { buildEpc } from './epc.ts'
export { expireOrders } from './expire.ts'
export { type PlatformOrderRow, platformOrderSelect, readPlatformOrder, toPlatformOrder } from './platform-order.ts'
export { saveOrders } from './save.ts'
export { spreadNames } from './spread-names.ts'
export { eraseOrderNotes } from './erase.ts'
