export { askDeliveries, listDeliveries } from './list.ts'
export { readDelivery } from './detail.ts'
export { resendDeliveries } from './resend.ts'
