import type { Routes } from './route.ts'
import type { orderSchemas } from './schemas/orders.ts'

export const maxOrderNotes = 1000

export const orderRoutes: Routes<typeof orderSchemas> = {
  list: {
    method: 'GET',
    path: '/api/orders',
    access: 'orders.view',
    readsMembers: true,
  },
  detail: {
    method: 'GET',
    path: '/api/orders/:id',
    access: 'orders.view',
    readsMembers: true,
  },
  setStatus: {
    method: 'PATCH',
    path: '/api/orders/:id/status',
    access: 'orders.decide',
    versioned: true,
    approvals: ['mark_order_paid', 'cancel_order'],
  },
}
