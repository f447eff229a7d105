import type { Routes } from './route.ts'
import type { peekSchemas } from './schemas/peek.ts'

export const peekRoutes: Routes<typeof peekSchemas> = {
  member: { method: 'GET', path: '/api/users/:id/peek', access: 'members.view', readsMembers: true },
  order: { method: 'GET', path: '/api/orders/:id/peek', access: 'orders.view', readsMembers: true },
}
