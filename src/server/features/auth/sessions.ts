import { randomBytes } from 'node:crypto'
import { and, eq, isNull, ne, sql, type SQL } from 'drizzle-orm'
import { absoluteHours, idleMinutes } from '#contract/auth.ts'
import { stepUpMinutes, type StepUpMethod } from '#contract/factors.ts'
import type { Role } from '#contract/permissions.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import type { SessionEnding } from '#contract/session-endings.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx, Db } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { admins, sessions } from '#server/db/tables/auth.ts'
import { AppError } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import { endStreams } from '#server/features/live/service.ts'
import { type Ending, noteEndings, endingKept, endingTexts } from './endings.ts'
import { dropChallenges } from './factors/challenges.ts'
import type { SessionOrigin } from './session-places.ts'

/**
 * Why the session of a token has ended, in a sentence. Null where it goes on, was signed out, ended more than a day
 * ago, or never was: so only the browser that held it is told.
 */
export async function describeEnding(db: Db, token: string | undefined): Promise<string | null> {
  if (token === undefined) return null
  const tokenHash = sha256(token)
  const { rows } = await db.execute<{ reason: SessionEnding }>(sql`
    SELECT reason FROM ended_sessions WHERE token_hash = ${tokenHash} AND ended_at > now() - ${endingKept}
    UNION ALL SELECT ${expiryReason} FROM sessions WHERE token_hash = ${tokenHash} AND NOT ${isAlive} LIMIT 1`)
  return rows[0] ? endingTexts[rows[0].reason] : null
}

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

/** SQL: why a session that is not valid any more has ended: whichever limit it met first. */
const expiryReason = sql.raw(`CASE WHEN sessions.last_active_at + interval '${idleLimit}'
  <= sessions.created_at + interval '${absoluteLimit}' THEN 'idle' ELSE 'age' END`)

/** Deletes expired sessions, of which it keeps for a day why they ended. An account has few. */
export async function deleteExpiredSessions(db: Db): Promise<void> {
  await db.execute(sql`
    WITH gone AS (DELETE FROM sessions WHERE NOT ${isAlive} RETURNING token_hash, ${expiryReason} AS reason)
    INSERT INTO ended_sessions (token_hash, reason) SELECT token_hash, reason FROM gone ON CONFLICT DO NOTHING`)
}

/** Seconds until a session ends: without activity, and in any case. */
export interface SessionTime {
  idle: number
  absolute: number
}

export interface Session {
  sessionId: string
  endsIn: SessionTime
  /** Whether the admin has authenticated in the last `stepUpMinutes`. */
  isRecent: boolean
  /** Whether the admin has a second factor, or the provider proved one for this session. Null: none is required. */
  hasFactor: boolean | null
  /** Whether the admin's password opens sessions, and is one that somebody else set or saw. */
  mustChangePassword: boolean
  admin: SessionAdmin
  openedFrom: SessionOrigin
}

export type SessionAdmin = Pick<AccountAdmin, 'id' | 'username' | 'role'>

interface SessionRow {
  session_id: string
  id: string
  username: string
  role: Role
  seconds_idle: number
  seconds_old: number
  seconds_authenticated: number
  ip_address: string
  user_agent: string
  has_factor: boolean | null
  must_change_password: boolean
}

/**
 * Runs before every call, so it reads only what every call needs. The name lets PostgreSQL plan it once. `date_part`
 * counts in floats, where `extract` would in `numeric`.
 */
const findSession = (name: string, hasFactor: string) => ({
  name,
  text: `SELECT sessions.id AS session_id, a.id, a.username, a.role, sessions.ip_address, sessions.user_agent,
      date_part('epoch', now() - sessions.last_active_at) AS seconds_idle,
      date_part('epoch', now() - sessions.created_at) AS seconds_old,
      date_part('epoch', now() - sessions.authenticated_at) AS seconds_authenticated, ${hasFactor} AS has_factor,
      a.must_change_password AND ($2 OR a.break_glass) AS must_change_password
    FROM sessions JOIN admins a ON a.id = sessions.admin_id
    WHERE sessions.token_hash = $1 AND a.disabled_at IS NULL AND ${aliveText}`,
})
const findAnySession = findSession('find_session', 'NULL::boolean')
const findSessionAndFactor = findSession(
  'find_session_and_factor',
  'sessions.provider_factor OR EXISTS (SELECT FROM admin_factors f WHERE f.admin_id = a.id)',
)

/** Whole seconds until `limit` is reached. */
const secondsLeft = (limit: number, passed: number) => Math.floor(limit - passed)

/**
 * The session of a cookie, or null. `isActivity` prolongs it. Uses the database's clock, and writes the row at most
 * every 20 seconds.
 */
export async function resumeSession(
  { config, database }: Pick<Ctx, 'config' | 'database'>,
  token: string,
  isActivity: boolean,
): Promise<Session | null> {
  const statement = config.isMfaRequired ? findSessionAndFactor : findAnySession
  const values = [sha256(token), config.isLocalSignInOpen]
  const { rows } = await database.pool.query<SessionRow>({ ...statement, values })
  const [row] = rows
  if (!row) return null
  const isRenewed = isActivity && row.seconds_idle > 20
  if (isRenewed)
    await database.db
      .update(sessions)
      .set({ lastActiveAt: sql`now()` })
      .where(eq(sessions.id, row.session_id))
  return {
    sessionId: row.session_id,
    isRecent: row.seconds_authenticated < stepUpMinutes * 60,
    hasFactor: row.has_factor,
    mustChangePassword: row.must_change_password,
    openedFrom: { ipAddress: row.ip_address, userAgent: row.user_agent },
    endsIn: {
      idle: isRenewed ? idleSeconds : secondsLeft(idleSeconds, row.seconds_idle),
      absolute: secondsLeft(absoluteSeconds, row.seconds_old),
    },
    admin: { id: row.id, username: row.username, role: row.role },
  }
}

/**
 * Opens a session and returns its token. Ends the session that the browser presented, and the admin's oldest beyond
 * five. `ended` lists them. The caller locks the admin's row, so that simultaneous sign-ins count one after the other.
 */
export async function openSession(
  tx: Tx,
  adminId: string,
  from: {
    ipAddress: string
    userAgent: string
    presentedToken: string | undefined
    presentedHash?: Buffer | undefined
    authenticatedBy: StepUpMethod[]
    /** When, if not now. */
    authenticatedAt?: SQL | undefined
    providerFactor?: boolean | undefined
  },
): Promise<{ token: string; sessionId: string; ended: string[] }> {
  const presented = from.presentedToken ? sha256(from.presentedToken) : (from.presentedHash ?? null)
  const { rows } = await tx.execute<Ending & { id: string; isPresented: boolean }>(sql`
    DELETE FROM sessions WHERE token_hash = ${presented} OR admin_id = ${adminId} AND NOT ${isAlive} OR id IN (
      SELECT id FROM sessions WHERE admin_id = ${adminId} AND ${isAlive} AND token_hash IS DISTINCT FROM ${presented}
      ORDER BY created_at DESC, id DESC OFFSET ${maxSessions - 1})
    RETURNING id, token_hash AS "tokenHash", token_hash IS NOT DISTINCT FROM ${presented} AS "isPresented",
      CASE WHEN ${isAlive} THEN 'newer_sessions' ELSE ${expiryReason} END AS reason`)
  const ended = rows.map(({ id }) => id)
  await endStreams(tx, ended)
  await noteEndings(
    tx,
    rows.filter(({ isPresented }) => !isPresented),
  )
  const token = newToken()
  const [row] = await tx
    .insert(sessions)
    .values({
      tokenHash: sha256(token),
      adminId,
      ipAddress: from.ipAddress,
      userAgent: from.userAgent.toWellFormed().slice(0, 400),
      authenticatedBy: from.authenticatedBy,
      authenticatedAt: from.authenticatedAt,
      providerFactor: from.providerFactor,
    })
    .returning({ id: sessions.id })
  return { token, sessionId: row!.id, ended }
}

/** Ends the session of a token. Returns whose it was, or null. */
export async function endSession(
  tx: Tx,
  token: string,
): Promise<{ adminId: string; username: string; role: Role; sessionId: string } | null> {
  const [ended] = await tx
    .delete(sessions)
    .where(eq(sessions.tokenHash, sha256(token)))
    .returning({ sessionId: sessions.id, adminId: sessions.adminId })
  if (!ended) return null
  await endStreams(tx, [ended.sessionId])
  // A session cannot outlive its admin's row.
  const [admin] = await tx
    .select({ username: admins.username, role: admins.role })
    .from(admins)
    .where(eq(admins.id, ended.adminId))
  return { ...ended, ...admin! }
}

/** Ends the sessions that a condition holds for, and notes why. Returns their ids. */
export async function endSessionsWhere(tx: Tx, reason: SessionEnding, condition?: SQL): Promise<string[]> {
  const ended = await tx.delete(sessions).where(condition).returning({ id: sessions.id, tokenHash: sessions.tokenHash })
  await noteEndings(
    tx,
    ended.map(({ tokenHash }) => ({ tokenHash, reason })),
  )
  const ids = ended.map(({ id }) => id)
  await endStreams(tx, ids)
  return ids
}

/** Ends all sessions of an admin, or all but one, and the sign-ins that wait for a second factor. Returns their ids. */
export async function endSessionsOf(tx: Tx, adminId: string, reason: SessionEnding, but?: string): Promise<string[]> {
  const isMeant = and(eq(sessions.adminId, adminId), but === undefined ? undefined : ne(sessions.id, but))
  const ended = await endSessionsWhere(tx, reason, isMeant)
  await dropChallenges(tx, adminId)
  return ended
}

/**
 * Gives a session another token, so that anyone who copied the old one is out. Its age stays. The streams that the old
 * token opened end; the browser opens them again. Throws unauthorized if the session has ended.
 */
export async function rotateToken(tx: Tx, sessionId: string): Promise<string> {
  const token = newToken()
  const found = await tx
    .update(sessions)
    .set({ tokenHash: sha256(token) })
    .where(eq(sessions.id, sessionId))
    .returning({ id: sessions.id })
  if (found.length === 0) throw new AppError('unauthorized', 'Unauthorized')
  await endStreams(tx, [sessionId])
  return token
}

/** Locks a session of an admin by its id, and its admin. Null if it has ended, or the admin was disabled. */
export async function lockSession(tx: Tx, { adminId, sessionId }: { adminId: string; sessionId: string }) {
  const [admin] = await tx
    .select({ id: admins.id, username: admins.username, role: admins.role })
    .from(admins)
    .where(and(eq(admins.id, adminId), isNull(admins.disabledAt)))
    .for('update')
  const [session] = await tx
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), eq(sessions.adminId, adminId), isAlive))
    .for('update')
  return admin && session ? admin : null
}

/** Notes that the admin has just authenticated. Returns until when calls with `stepUp` pass. */
export async function renewAuthentication(tx: Tx, sessionId: string, method: StepUpMethod): Promise<string> {
  const [renewed] = await tx
    .update(sessions)
    .set({ authenticatedAt: sql`now()`, authenticatedBy: [method] })
    .where(eq(sessions.id, sessionId))
    .returning({
      validUntil: sql<string>`${sessions.authenticatedAt} + make_interval(mins => ${stepUpMinutes})`.mapWith(toInstant),
    })
  return renewed!.validUntil
}
