import type { Routes } from './route.ts'
import type { accountSchemas } from './schemas/account.ts'

export const accountRoutes: Routes<typeof accountSchemas> = {
  read: { method: 'GET', path: '/api/account', access: 'admin' },
  chooseColumns: { method: 'PUT', path: '/api/account/columns/:list', access: 'admin' },
}
