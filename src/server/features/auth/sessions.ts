import { createHash, randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import type { Admin } from '#contract/auth.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { admins, sessions } from '#server/db/tables/auth.ts'

/** PRODUCT 3.6. */
export const idleLimit = '30 minutes'
export const absoluteLimit = '12 hours'
const maxSessions = 5

export const hashToken = (token: string) => createHash('sha256').update(token).digest()
export const newToken = () => randomBytes(32).toString('base64url')

const isAlive = sql`${sessions.lastActiveAt} > now() - interval '${sql.raw(idleLimit)}'
  AND ${sessions.createdAt} > now() - interval '${sql.raw(absoluteLimit)}'`

export interface Session {
  sessionId: string
  admin: Admin
}

interface SessionRow {
  session_id: string
  id: string
  username: string
  created_at: string
  last_sign_in_at: string | null
  is_stale: boolean
}

// Named, so that PostgreSQL plans it once: it runs before every call.
const findSession = {
  name: 'find_session',
  text: `SELECT s.id AS session_id, a.id, a.username, a.created_at::text, a.last_sign_in_at::text,
      s.last_active_at < now() - interval '20 seconds' AS is_stale
    FROM sessions s JOIN admins a ON a.id = s.admin_id
    WHERE s.token_hash = $1 AND s.last_active_at > now() - interval '${idleLimit}'
      AND s.created_at > now() - interval '${absoluteLimit}'`,
}

/**
 * The session behind a cookie, or null. Counts as activity unless `isPassive`; the clock is the database's, and the row
 * is written at most every 20 seconds.
 */
export async function resumeSession(database: Database, token: string, isPassive: boolean): Promise<Session | null> {
  const { rows } = await database.pool.query<SessionRow>({ ...findSession, values: [hashToken(token)] })
  const [row] = rows
  if (!row) return null
  if (row.is_stale && !isPassive)
    await database.db.update(sessions).set({ lastActiveAt: sql`now()` }).where(eq(sessions.id, row.session_id))
  return {
    sessionId: row.session_id,
    admin: {
      id: row.id,
      username: row.username,
      createdAt: toInstant(row.created_at),
      lastSignInAt: row.last_sign_in_at && toInstant(row.last_sign_in_at),
    },
  }
}

/** Opens a session and returns its token; the oldest beyond five end, as does the one the browser presented. */
export async function openSession(
  tx: Tx,
  adminId: string,
  from: { ipAddress: string; userAgent: string; presentedToken: string | undefined },
): Promise<{ token: string; sessionId: string }> {
  if (from.presentedToken) await tx.delete(sessions).where(eq(sessions.tokenHash, hashToken(from.presentedToken)))
  await tx.delete(sessions).where(and(eq(sessions.adminId, adminId), sql`NOT (${isAlive})`))
  await tx.execute(sql`DELETE FROM ${sessions} WHERE id IN (
    SELECT id FROM ${sessions} WHERE admin_id = ${adminId} ORDER BY created_at DESC, id DESC OFFSET ${maxSessions - 1})`)
  const token = newToken()
  const [row] = await tx
    .insert(sessions)
    .values({ tokenHash: hashToken(token), adminId, ipAddress: from.ipAddress, userAgent: from.userAgent.slice(0, 400) })
    .returning({ id: sessions.id })
  return { token, sessionId: row!.id }
}

/** Ends the session of a token; answers whose it was, or null when there was none. */
export async function endSession(tx: Tx, token: string): Promise<{ adminId: string; username: string; sessionId: string } | null> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, hashToken(token)))
    .returning({ sessionId: sessions.id, adminId: sessions.adminId })
  if (!ended) return null
  const [admin] = await tx.select({ username: admins.username }).from(admins).where(eq(admins.id, ended.adminId))
  return { ...ended, username: admin?.username ?? '' }
}
