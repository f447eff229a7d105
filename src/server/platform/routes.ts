import type { FastifyInstance } from 'fastify'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { callsDoor } from './call-routes.ts'
import { importDoor } from './import-routes.ts'
import { recordCalls } from './record-calls.ts'
import { resultsDoor } from './result-routes.ts'

/** The platform API (product 10.2). */
export function platformDoor(app: FastifyInstance, refusals: RefusalTally): void {
  void app.register(async (door) => {
    recordCalls(door)
    callsDoor(door)
    importDoor(door)
    resultsDoor(door, refusals)
  })
}
