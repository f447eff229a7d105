import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { readBackupHealth } from '#server/features/backups/service.ts'

/** The backups by the clock, for whoever watches. They are no reason to send nobody here. */
async function describeBackups(services: Services) {
  const backup = await readBackupHealth(services).catch(() => undefined)
  return backup && { backup }
}

/** `/live`: the process answers. `/ready`: the database answers too, and the console is not stopping. */
export function registerHealthRoutes(app: FastifyInstance, services: Services, isStopping: () => boolean): void {
  app.get('/live', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/ready', { logLevel: 'warn' }, async (_request, reply) => {
    if (isStopping()) return reply.code(503).header('retry-after', 2).send({ status: 'stopping' })
    const isUp = await services.database.pool.query('SELECT 1').then(
      () => true,
      () => false,
    )
    if (!isUp) return reply.code(503).header('retry-after', 2).send({ status: 'database unavailable' })
    // Who watches several servers sees which one of them runs no jobs.
    return { status: 'ok', ...(!services.config.hasJobs && { jobs: 'off' }), ...(await describeBackups(services)) }
  })
}
