import { sql } from 'drizzle-orm'
import type { SessionEnding } from '#contract/session-endings.ts'
import type { Db } from '#server/db/client.ts'
import { sha256 } from '#server/lib/hash.ts'
import { endingKept, endingTexts } from './endings.ts'
import { expiryReason, isAlive } from './sessions.ts'

/**
 * Why the session of a token has ended, in a sentence. Null where it goes on, was signed out, ended more than a day ago, or never
 * was: so only the browser that held it is told.
 */
export async function describeEnding(db: Db, token: string | undefined): Promise<string | null> {
  if (token === undefined) return null
  const tokenHash = sha256(token)
  const { rows } = await db.execute<{ reason: SessionEnding }>(sql`
    SELECT reason FROM ended_sessions WHERE token_hash = ${tokenHash} AND ended_at > now() - ${endingKept}
    UNION ALL SELECT ${expiryReason} FROM sessions WHERE token_hash = ${tokenHash} AND NOT ${isAlive} LIMIT 1`)
  return rows[0] ? endingTexts[rows[0].reason] : null
}
