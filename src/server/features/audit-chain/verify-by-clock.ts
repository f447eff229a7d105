import { sql } from 'drizzle-orm'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Database } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { describeFault, type Verification, verifyAudit } from './verify.ts'

/** The whole log is verified this often by one of the servers. */
export const verifyEveryHours = 6
const verificationName = 'audit_verification'

/** The outcome of the last verification. Undefined before the first. */
export async function readVerification({ pool }: Pick<Database, 'pool'>): Promise<Verification | undefined> {
  const { rows } = await pool.query<{ value: Verification }>('SELECT value FROM settings WHERE name = $1', [
    verificationName,
  ])
  return rows[0]?.value
}

/** Verifies the log if that is due. */
export async function verifyWhenDue(ctx: Ctx): Promise<void> {
  const last = await readVerification(ctx.database)
  const age = last && Date.now() - Date.parse(last.at)
  // One in the future was verified while the clock was wrong, and would hold off the next for as long.
  const isDue = age === undefined || age < 0 || age >= verifyEveryHours * 3600 * 1000
  if (isDue) await verifyAndReport(ctx)
}

/** Verifies the log, keeps the outcome, and raises a critical event for a fault that no open one names. */
export async function verifyAndReport(ctx: Ctx, files: readonly string[] = []): Promise<Verification> {
  const verification = await verifyAudit(ctx, { files })
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'audit verification')
    await tx
      .insert(settings)
      .values({ name: verificationName, value: verification })
      .onConflictDoUpdate({ target: settings.name, set: { value: verification } })
    const { fault } = verification
    if (!fault) return
    const { rows } = await tx.execute<{ id: string }>(sql`
      SELECT id::text FROM security_events WHERE event_type = 'audit_altered' AND resolved_at IS NULL
        AND details @> ${JSON.stringify({ seq: fault.seq, kind: fault.kind })}::jsonb`)
    if (rows.length > 0) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'critical',
      type: 'audit_altered',
      description: `The audit log is not what was sealed. ${describeFault(fault)}`,
      details: { ...fault },
    })
  })
  return verification
}
