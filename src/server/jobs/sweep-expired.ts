import { sql } from 'drizzle-orm'
import type { Services } from '#server/core/context.ts'
import { isAlive } from '#server/features/auth/sessions.ts'
import { keptFor } from '#server/platform/idempotency.ts'

/**
 * Deletes what has expired: sessions, view tokens, counters of failed sign-ins, devices not seen for half a year,
 * and the platform's answers of a day ago. No right depends on it, everything is compared with the clock where it is
 * used; it keeps the tables small.
 */
export async function sweepExpired({ database: { db } }: Services): Promise<void> {
  await db.execute(sql`DELETE FROM sessions WHERE NOT ${isAlive}`)
  await db.execute(sql`DELETE FROM document_tokens WHERE expires_at < now()`)
  await db.execute(sql`
    DELETE FROM sign_in_throttles
    WHERE window_started_at < now() - interval '24 hours' AND (locked_until IS NULL OR locked_until < now())`)
  await db.execute(sql`DELETE FROM known_devices WHERE last_seen_at < now() - interval '180 days'`)
  await db.execute(sql`DELETE FROM idempotent_calls WHERE created_at < now() - ${keptFor}`)
}
