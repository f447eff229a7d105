import { sql } from 'drizzle-orm'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'

/** Longer than a restart takes. Any server with jobs marks its life every minute (`markChanges`). */
const mostMinutes = 5
const type = 'jobs_stopped'

/**
 * Raises one event when no server has run jobs for some minutes. Only servers without jobs ask. `watchedMs` is for how long this one
 * has been up: after a night in which all were off it gives the others time to start.
 */
export async function reportStoppedJobs(ctx: Ctx, watchedMs = process.uptime() * 1000): Promise<void> {
  if (watchedMs < mostMinutes * 60_000 || !(await areStopped(ctx))) return
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'stopped jobs')
    const { rows } = await tx.execute<{ isReported: boolean }>(
      sql`SELECT EXISTS (SELECT FROM security_events WHERE event_type = ${type} AND resolved_at IS NULL) AS "isReported"`,
    )
    if (rows[0]!.isReported) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'critical',
      type,
      description: `No server has run jobs for ${mostMinutes} minutes: nothing is sent, expired, sealed or read from the chain. Start one without JOBS=off`,
      details: {},
    })
  })
}

async function areStopped({ database: { db } }: Ctx): Promise<boolean> {
  const { rows } = await db.execute<{ isStopped: boolean }>(sql`
    SELECT coalesce(max(at), '-infinity') < now() - make_interval(mins => ${mostMinutes}) AS "isStopped" FROM change_marks`)
  return rows[0]!.isStopped
}
