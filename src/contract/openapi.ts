import type { Routes } from './route.ts'
import type { openApiSchemas } from './schemas/openapi.ts'

export const openApiRoutes: Routes<typeof openApiSchemas> = {
  document: { method: 'GET', path: '/api/openapi.json', access: 'admin or platform', raw: true, compressed: true },
  reader: { method: 'GET', path: '/api/docs', access: 'admin or platform', raw: true },
}
