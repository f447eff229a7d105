import { randomBytes } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import type { Admin } from '#contract/schemas/auth.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { admins, sessions } from '#server/db/tables/auth.ts'
import { sha256 } from '#server/lib/hash.ts'
import { endStreams } from '#server/features/live/service.ts'

const idleSeconds = idleMinutes * 60
const idleLimit = `${idleSeconds} seconds`
const absoluteSeconds = absoluteHours * 60 * 60
const absoluteLimit = `${absoluteSeconds} seconds`
const maxSessions = 5

/** The time left of a session that was opened or used now. */
export const freshSession = { idle: idleSeconds, absolute: absoluteSeconds }

export const newToken = () => randomBytes(32).toString('base64url')

/** SQL: whether a row of `sessions` is valid, by the database's clock. For statements written by hand. */
export const aliveText = `(sessions.last_active_at > now() - interval '${idleLimit}'
  AND sessions.created_at > now() - interval '${absoluteLimit}')`
export const isAlive = sql.raw(aliveText)

/** Seconds until a session ends: without activity, and in any case. */
export interface SessionTime {
  idle: number
  absolute: number
}

export interface Session {
  sessionId: string
  endsIn: SessionTime
  admin: Admin
}

interface SessionRow {
  session_id: string
  id: string
  username: string
  created_at: string
  last_sign_in_at: string | null
  is_stale: boolean
  idle_left: number
  absolute_left: number
}

// The name lets PostgreSQL plan it once. It runs before every call.
const findSession = {
  name: 'find_session',
  text: `SELECT sessions.id AS session_id, a.id, a.username, a.created_at::text, a.last_sign_in_at::text,
      sessions.last_active_at < now() - interval '20 seconds' AS is_stale,
      floor(extract(epoch FROM sessions.last_active_at - now() + interval '${idleLimit}'))::int AS idle_left,
      floor(extract(epoch FROM sessions.created_at - now() + interval '${absoluteLimit}'))::int AS absolute_left
    FROM sessions JOIN admins a ON a.id = sessions.admin_id WHERE sessions.token_hash = $1 AND ${aliveText}`,
}

/**
 * The session of a cookie, or null. `isActivity` prolongs it. Uses the database's clock, and writes the row at most every
 * 20 seconds.
 */
export async function resumeSession(database: Database, token: string, isActivity: boolean): Promise<Session | null> {
  const { rows } = await database.pool.query<SessionRow>({ ...findSession, values: [sha256(token)] })
  const [row] = rows
  if (!row) return null
  const isRenewed = row.is_stale && isActivity
  if (isRenewed)
    await database.db
      .update(sessions)
      .set({ lastActiveAt: sql`now()` })
      .where(eq(sessions.id, row.session_id))
  return {
    sessionId: row.session_id,
    endsIn: { idle: isRenewed ? idleSeconds : row.idle_left, absolute: row.absolute_left },
    admin: {
      id: row.id,
      username: row.username,
      createdAt: toInstant(row.created_at),
      lastSignInAt: row.last_sign_in_at && toInstant(row.last_sign_in_at),
    },
  }
}

/**
 * Opens a session and returns its token. Ends the session that the browser presented, and the admin's oldest beyond five.
 * `ended` lists them. The caller locks the admin's row, so that simultaneous sign-ins count one after the other.
 */
export async function openSession(
  tx: Tx,
  adminId: string,
  from: { ipAddress: string; userAgent: string; presentedToken: string | undefined },
): Promise<{ token: string; sessionId: string; ended: string[] }> {
  const presented = from.presentedToken ? sha256(from.presentedToken) : null
  const { rows } = await tx.execute<{ id: string }>(sql`
    DELETE FROM sessions WHERE token_hash = ${presented} OR admin_id = ${adminId} AND NOT ${isAlive} OR id IN (
      SELECT id FROM sessions WHERE admin_id = ${adminId} AND ${isAlive} AND token_hash IS DISTINCT FROM ${presented}
      ORDER BY created_at DESC, id DESC OFFSET ${maxSessions - 1})
    RETURNING id`)
  const ended = rows.map(({ id }) => id)
  await endStreams(tx, ended)
  const token = newToken()
  const [row] = await tx
    .insert(sessions)
    .values({
      tokenHash: sha256(token),
      adminId,
      ipAddress: from.ipAddress,
      userAgent: from.userAgent.toWellFormed().slice(0, 400),
    })
    .returning({ id: sessions.id })
  return { token, sessionId: row!.id, ended }
}

/** Ends the session of a token. Returns whose it was, or null. */
export async function endSession(
  tx: Tx,
  token: string,
): Promise<{ adminId: string; username: string; sessionId: string } | null> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, sha256(token)))
    .returning({ sessionId: sessions.id, adminId: sessions.adminId })
  if (!ended) return null
  await endStreams(tx, [ended.sessionId])
  const [admin] = await tx.select({ username: admins.username }).from(admins).where(eq(admins.id, ended.adminId))
  return { ...ended, username: admin?.username ?? '' }
}

/** Ends all sessions of an admin. Returns their ids. */
export async function endSessionsOf(tx: Tx, adminId: string): Promise<string[]> {
  const ended = await tx.delete(sessions).where(eq(sessions.adminId, adminId)).returning({ id: sessions.id })
  const ids = ended.map(({ id }) => id)
  await endStreams(tx, ids)
  return ids
}
