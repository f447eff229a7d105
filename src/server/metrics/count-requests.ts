import type { FastifyInstance } from 'fastify'
import { liveRoutes } from '#contract/live.ts'
import type { Metrics } from './metrics.ts'

/** In place of the address of what no route serves, which a caller may choose freely. */
const unknownRoute = 'none'

/** Counts each reply by the pattern of its route, such as `/api/users/:id`. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? unknownRoute
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
    if (route !== liveRoutes.stream.path)
      metrics.requestDuration.observe({ method: request.method, route }, reply.elapsedTime / 1000)
  })
}
