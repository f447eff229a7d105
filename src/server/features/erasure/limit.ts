import { sql } from 'drizzle-orm'
import { actorName, raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { countSecurityEvent } from '#server/core/counted-events.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'

/** So many erasures of one key in 24 hours are a security event, and as many again. */
const reportedErasures = 20

const format = (count: number) => count.toLocaleString('en')

/**
 * Counts the members that a platform key has erased in 24 hours, by the audit log. Erasures of one key wait here for
 * each other. Anyone who runs a command has the machine, and no limit. Throws erasure_limit.
 */
export async function requireErasable(tx: Tx, ctx: Ctx): Promise<number> {
  const { actor, config } = ctx
  if (actor.kind !== 'platform') return 0
  const limit = config.erasuresPerDay
  await lockInTransaction(tx, `erasures of ${actor.name}`)
  const { rows } = await tx.execute<{ erased: number; seconds: number | null }>(sql`
    SELECT count(*)::int AS erased, ceil(extract(epoch FROM
      (array_agg(created_at ORDER BY created_at DESC))[${limit}::int] + interval '24 hours' - now()))::int AS seconds
    FROM audit_log WHERE lower(actor_name) = lower(${actorName(actor)}) AND action = 'erase_member'
      AND created_at > now() - interval '24 hours'`)
  const { erased, seconds } = rows[0]!
  if (erased < limit) return erased
  throw new AppError(
    'erasure_limit',
    `This platform key has erased ${format(erased)} members in 24 hours, and may erase ${format(limit)} (ERASURES_PER_DAY)`,
    { retryAfter: Math.max(1, seconds ?? 0) },
  )
}

/** Reports each time that a key has erased as many members as are an event. `erased` counts this one. */
export async function reportErasures(tx: Tx, ctx: Ctx, erased: number): Promise<void> {
  if (ctx.actor.kind !== 'platform' || erased % reportedErasures !== 0) return
  const { name: key } = ctx.actor
  await raiseSecurityEvent(tx, ctx, {
    type: 'many_erasures',
    severity: 'high',
    description: `The platform key ${key} has erased ${format(erased)} members within 24 hours`,
    details: { key, erased },
  })
}

/** Reports an erasure beyond the limit, which left nothing behind itself. */
export async function reportRefusedErasure(ctx: Ctx, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.code !== 'erasure_limit') return
  const { name: key } = ctx.actor
  await inTransaction(ctx, (tx) =>
    countSecurityEvent<{ count: number }>(tx, ctx, {
      type: 'erasure_refused',
      severity: 'high',
      by: { key },
      describe: (present) => ({
        description: `The platform key ${key} asked to erase more members than it may in a day`,
        details: { count: (present?.count ?? 0) + 1 },
      }),
    }),
  )
}
