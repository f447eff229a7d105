import type { FastifyInstance } from 'fastify'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { registerCallRoutes } from './call-routes.ts'
import { registerImportRoute } from './import-routes.ts'
import { recordCalls } from './record-calls.ts'
import { registerResultRoute, registerStatementRoute } from './statement-routes.ts'

/** The platform API (product 10.2). */
export function registerPlatformRoutes(app: FastifyInstance, refusals: RefusalTally): void {
  void app.register(async (scope) => {
    recordCalls(scope)
    registerCallRoutes(scope)
    registerImportRoute(scope)
    registerStatementRoute(scope)
    registerResultRoute(scope, refusals)
  })
}
