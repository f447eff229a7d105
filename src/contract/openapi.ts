import { route } from './route.ts'

export const openApiRoutes = {
  document: route({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'This description as OpenAPI 3.1',
    raw: true,
    access: 'either',
  }),
  reader: route({
    method: 'GET',
    path: '/api/docs',
    summary: 'This description as a page to read',
    raw: true,
    access: 'either',
  }),
}
