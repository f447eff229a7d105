import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'

/** `/live`: the process answers. `/ready`: the database answers too, and the console is not stopping. */
export function registerHealthRoutes(
  app: FastifyInstance,
  { config, database }: Services,
  isStopping: () => boolean,
): void {
  app.get('/live', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/ready', { logLevel: 'warn' }, async (_request, reply) => {
    if (isStopping()) return reply.code(503).header('retry-after', 2).send({ status: 'stopping' })
    const isUp = await database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    // Who watches several servers sees which one of them runs no jobs.
    return isUp
      ? { status: 'ok', ...(!config.hasJobs && { jobs: 'off' }) }
      : reply.code(503).header('retry-after', 2).send({ status: 'database unavailable' })
  })
}
