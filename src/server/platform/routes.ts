import type { FastifyInstance } from 'fastify'
import { callsDoor } from './call-routes.ts'
import { importDoor } from './import-routes.ts'
import { resultsDoor } from './result-routes.ts'

/** The platform API (PRODUCT section 4). */
export function platformDoor(app: FastifyInstance): void {
  callsDoor(app)
  importDoor(app)
  resultsDoor(app)
}
