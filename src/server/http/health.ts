import type { FastifyInstance } from 'fastify'
import type { Services } from '#server/core/context.ts'
import { isReadOnlySql } from '#server/db/hosts.ts'
import { readArchiveHealth, readBackupHealth } from '#server/features/backups/service.ts'

/** The backups by the clock, for anyone who watches. They are no reason to send nobody here. */
async function describeBackups(services: Services) {
  const backup = await readBackupHealth(services).catch(() => undefined)
  const archive = await readArchiveHealth(services).catch(() => undefined)
  return { ...(backup && { backup }), ...(archive && { archive }) }
}

/** Whether the database answers and takes writes. A connection to a server that takes none is closed. */
async function checkDatabase({
  database: { pool },
}: Services): Promise<'ok' | 'database unavailable' | 'database read-only'> {
  try {
    const client = await pool.connect()
    let isReadOnly = true
    try {
      isReadOnly = (await client.query<{ isReadOnly: boolean }>(isReadOnlySql)).rows[0]!.isReadOnly
    } finally {
      client.release(isReadOnly)
    }
    return isReadOnly ? 'database read-only' : 'ok'
  } catch {
    return 'database unavailable'
  }
}

/** `/live`: the process answers. `/ready`: the database takes writes too, and the console is not stopping. */
export function registerHealthRoutes(app: FastifyInstance, services: Services, isStopping: () => boolean): void {
  app.get('/live', { logLevel: 'warn' }, async () => ({ status: 'ok' }))
  app.get('/ready', { logLevel: 'warn' }, async (request, reply) => {
    if (isStopping()) return reply.code(503).header('retry-after', 2).send({ status: 'stopping' })
    const status = await checkDatabase(services)
    if (status !== 'ok') return reply.code(503).header('retry-after', 2).send({ status })
    // What a proxy passes on may come from anybody.
    if (request.headers['x-forwarded-for'] !== undefined) return { status }
    // Who watches several servers sees which one of them runs no jobs.
    return { status: 'ok', ...(!services.config.hasJobs && { jobs: 'off' }), ...(await describeBackups(services)) }
  })
}
