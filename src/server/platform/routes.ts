import type { FastifyInstance } from 'fastify'
import { callsDoor } from './call-routes.ts'
import { importDoor } from './import-routes.ts'
import { recordCalls } from './record-calls.ts'
import { resultsDoor } from './result-routes.ts'

/** The platform API (PRODUCT section 4). */
export function platformDoor(app: FastifyInstance): void {
  void app.register(async (door) => {
    recordCalls(door)
    callsDoor(door)
    importDoor(door)
    resultsDoor(door)
  })
}
