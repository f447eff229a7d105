import type { Routes } from './route.ts'
import type { orderSchemas } from './schemas/orders.ts'
import { listKeys } from './states.ts'

export const maxOrderNotes = 1000

/** When waiting orders expire: within a day, on the day after, or later. */
export const expiryLabels = {
  '24h': 'Expiring within 24 hours',
  '48h': 'Expiring in 24 to 48 hours',
  later: 'Expiring in more than 48 hours',
}
export const expiryWindows = listKeys(expiryLabels)
export type ExpiryWindow = (typeof expiryWindows)[number]

export const orderRoutes: Routes<typeof orderSchemas> = {
  list: { method: 'GET', path: '/api/orders', access: 'orders.view', readsMembers: true },
  detail: { method: 'GET', path: '/api/orders/:id', access: 'orders.view', readsMembers: true },
  setStatus: {
    method: 'PATCH',
    path: '/api/orders/:id/status',
    access: 'orders.decide',
    versioned: true,
    stepUpKind: 'money',
    approvals: ['mark_order_paid', 'undo_mark_paid', 'cancel_order'],
  },
}
