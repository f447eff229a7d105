import { sql } from 'drizzle-orm'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { isSealingStopped } from '#server/features/audit-chain/service.ts'

/** Longer than a restart takes. Any server with jobs marks its life every minute (`markChanges`). */
const mostMinutes = 5
/** Rows are sealed within seconds; a primary that moves, or a migration, takes minutes. */
const mostUnsealedMinutes = 10

interface Stop {
  type: string
  description: string
}

/**
 * Raises one event when no server has run jobs for some minutes. Only servers without jobs ask. `watchedMs` is for how
 * long this one has been up: after a night in which all were off it gives the others time to start.
 */
export async function reportStoppedJobs(ctx: Ctx, watchedMs = process.uptime() * 1000): Promise<void> {
  if (watchedMs < mostMinutes * 60_000 || !(await areStopped(ctx))) return
  await reportOnce(ctx, {
    type: 'jobs_stopped',
    description: `No server has run jobs for ${mostMinutes} minutes: nothing is sent, expired, sealed or read from the chain. Start one without JOBS=off`,
  })
}

/**
 * Raises one event when rows of the audit log stand unsealed, whatever holds it up. Every server asks, since the one
 * that seals may be what hangs. Alarms are sent of events, also while no row is sealed.
 */
export async function reportStoppedSealing(ctx: Ctx, watchedMs = process.uptime() * 1000): Promise<void> {
  if (watchedMs < mostUnsealedMinutes * 60_000 || !(await isSealingStopped(ctx, mostUnsealedMinutes))) return
  await reportOnce(ctx, {
    type: 'sealing_stopped',
    description: `Rows of the audit log have waited for more than ${mostUnsealedMinutes} minutes to be sealed, and no alarm tells of them: the job seal-audit fails or stands still, or a transaction of the database server has been open for as long`,
  })
}

/** Raises a critical event, unless one of its type is open. */
async function reportOnce(ctx: Ctx, { type, description }: Stop): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, type)
    const { rows } = await tx.execute<{ isReported: boolean }>(
      sql`SELECT EXISTS (SELECT FROM security_events WHERE event_type = ${type} AND resolved_at IS NULL) AS "isReported"`,
    )
    if (rows[0]!.isReported) return
    await raiseSecurityEvent(tx, ctx, { severity: 'critical', type, description, details: {} })
  })
}

async function areStopped({ database: { db } }: Ctx): Promise<boolean> {
  const { rows } = await db.execute<{ isStopped: boolean }>(sql`
    SELECT coalesce(max(at), '-infinity') < now() - make_interval(mins => ${mostMinutes}) AS "isStopped" FROM change_marks`)
  return rows[0]!.isStopped
}
