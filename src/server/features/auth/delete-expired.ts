import { sql } from 'drizzle-orm'
import type { Db } from '#server/db/client.ts'
import { deleteExpiredChallenges } from './factors/challenges.ts'
import { endingKept } from './endings.ts'
import { expiryReason, isAlive } from './sessions.ts'

/** Deletes expired sessions, of which it keeps for a day why they ended, and challenges, counters of failed sign-ins after a day, and devices not seen for half a year. */
export async function deleteExpiredSignIns(db: Db): Promise<void> {
  await db.execute(sql`
    WITH gone AS (DELETE FROM sessions WHERE NOT ${isAlive} RETURNING token_hash, ${expiryReason} AS reason)
    INSERT INTO ended_sessions (token_hash, reason) SELECT token_hash, reason FROM gone ON CONFLICT DO NOTHING`)
  await db.execute(sql`DELETE FROM ended_sessions WHERE ended_at < now() - ${endingKept}`)
  await db.execute(sql`
    DELETE FROM sign_in_throttles
    WHERE window_started_at < now() - interval '24 hours' AND (locked_until IS NULL OR locked_until < now())`)
  await deleteExpiredChallenges(db)
  await db.execute(sql`DELETE FROM known_devices WHERE last_seen_at < now() - interval '180 days'`)
}
