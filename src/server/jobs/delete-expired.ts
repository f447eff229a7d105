import { type SQL, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Db } from '#server/db/client.ts'
import { deleteExpiredSessions, endingKept } from '#server/features/auth/service.ts'
import { deleteOldJobs, deleteUnstartedJobs } from '#server/features/bulk/service.ts'
import { fileWork } from '#server/features/documents/service.ts'
import { answerKept } from '#server/platform/idempotency.ts'

const rowsAtATime = 2000

/** Of each table, the rows that nobody needs any more. */
const expired: Record<string, SQL> = {
  ended_sessions: sql`ended_at < now() - ${endingKept}`,
  sign_in_throttles: sql`window_started_at < now() - interval '24 hours' AND (locked_until IS NULL OR locked_until < now())`,
  auth_challenges: sql`expires_at < now()`,
  oidc_flows: sql`expires_at < now()`,
  document_tokens: sql`expires_at < now()`,
  idempotent_calls: sql`created_at < now() - ${answerKept}`,
  // What is left to be done to a stored file is done by `keep-files`.
  leases: sql`held_until < now() - interval '1 day' AND name NOT LIKE ${`${fileWork}%`}`,
}

/** One statement for all would be ended by the time limit, and then each later one too. */
async function deleteInBatches(db: Db, table: string, stop: AbortSignal): Promise<void> {
  const name = sql.identifier(table)
  for (let rows = rowsAtATime; rows === rowsAtATime && !stop.aborted;) {
    const { rows: deleted } = await db.execute<Record<string, unknown>>(sql`
      DELETE FROM ${name} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${name} WHERE ${expired[table]} LIMIT ${rowsAtATime} FOR UPDATE SKIP LOCKED)) RETURNING 1`)
    rows = deleted.length
  }
}

/** Keeps tables small. Nothing depends on it, because every use compares the expiry with the clock. */
export async function deleteExpired({ database: { db } }: Ctx, stop: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  const steps = [
    () => deleteExpiredSessions(db),
    ...Object.keys(expired).map((table) => () => deleteInBatches(db, table, stop)),
    () => deleteUnstartedJobs(db),
    () => deleteOldJobs(db),
  ]
  // What fails keeps nothing else from being deleted.
  for (const step of steps) await step().catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, 'some of what is over could not be deleted')
}
