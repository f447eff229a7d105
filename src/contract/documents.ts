import type { Routes } from './route.ts'
import type { documentSchemas } from './schemas/documents.ts'

/** How long the browser reuses a token, and how long the server honours it (product 14, 6.4). */
export const documentTokenMinutes = { cached: 9, valid: 10 }

export const documentRoutes: Routes<typeof documentSchemas> = {
  token: { method: 'POST', path: '/api/documents/token', access: 'documents.view', repeatable: true },
  view: { method: 'GET', path: '/api/documents/view/:token', access: 'documents.view' },
  proxy: {
    method: 'GET',
    path: '/api/documents/proxy/:token',
    access: 'documents.view',
    timeoutSeconds: 120,
    raw: true,
  },
}
