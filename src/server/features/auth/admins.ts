import { and, asc, desc, eq, ne, sql } from 'drizzle-orm'
import type { Role } from '#contract/permissions.ts'
import type { AccountAdmin } from '#contract/schemas/account.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Database, Db, Tx } from '#server/db/client.ts'
import { admins, knownDevices, operatorInvitations, sessions } from '#server/db/tables/auth.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { AppError, sqlState } from '#server/lib/errors.ts'
import { adminColumns, hasJoined } from './account.ts'
import { requirePassword } from './password-policy.ts'
import { hashPassword } from './passwords.ts'
import { aliveText, endSessionsOf, endSessionsWhere, isAlive } from './sessions.ts'
import { clearThrottle } from './throttle.ts'
import { requireDistinctUsername, requireUsername } from './usernames.ts'

export const hasUsername = (username: string) => eq(sql`fold_name(${admins.username})`, sql`fold_name(${username})`)

const unknownAdminError = (username: string) => new AppError('not_found', `No admin is named ${username}`)

interface NewAdmin {
  username: string
  passwordHash: string
  role: Role
  /** Whether the password signs in although passwords are closed. */
  breakGlass: boolean
  mustChangePassword: boolean
}

async function insertAdmin(tx: Tx, ctx: Ctx, given: NewAdmin): Promise<AccountAdmin> {
  await requireDistinctUsername(tx, given.username)
  const [admin] = await tx.insert(admins).values(given).returning(adminColumns)
  const { username, role, breakGlass } = given
  await audit(tx, ctx, {
    action: 'create_admin',
    target: { type: 'admin', id: admin!.id },
    details: { username, role, ...(breakGlass && { breakGlass }) },
  })
  if (breakGlass) await reportBreakGlass(tx, ctx, username)
  return admin!
}

const reportBreakGlass = (tx: Tx, ctx: Ctx, username: string) =>
  raiseSecurityEvent(tx, ctx, {
    severity: 'high',
    type: 'break_glass_given',
    description: `${username} may sign in by password although passwords are closed`,
    details: { username },
  })

/**
 * Creates an admin whose first sign-in asks for a password of one's own. Throws invalid by the rules of names and passwords
 * (docs/security.md), username_taken for one that looks alike, and CommandError if the name is taken in any case.
 */
export async function createAdmin(
  ctx: Ctx,
  username: string,
  password: string,
  role: Role = 'super_admin',
  breakGlass = false,
): Promise<AccountAdmin> {
  requireUsername(username)
  await requirePassword(password, username)
  const passwordHash = await hashPassword(password)
  try {
    const given = { username, passwordHash, role, breakGlass, mustChangePassword: true }
    return await inTransaction(ctx, (tx) => insertAdmin(tx, ctx, given))
  } catch (error) {
    if (sqlState(error) !== '23505') throw error
    throw new CommandError(`An admin named ${username} exists already`)
  }
}

/** Creates an admin if there is none, even if several servers start at once. Otherwise returns null (product 2.4). */
export async function createFirstAdmin(
  ctx: Ctx,
  { username, password, mustChangePassword }: { username: string; password: string; mustChangePassword: boolean },
): Promise<AccountAdmin | null> {
  requireUsername(username)
  await requirePassword(password, username)
  const passwordHash = await hashPassword(password)
  return inTransaction(ctx, async (tx) => {
    await tx.execute(sql`LOCK TABLE ${admins} IN SHARE ROW EXCLUSIVE MODE`)
    if ((await tx.select({ id: admins.id }).from(admins).limit(1)).length > 0) return null
    // Where only the provider signs in, this is who gets in when it does not.
    const breakGlass = !ctx.config.isLocalSignInOpen
    return insertAdmin(tx, ctx, { username, passwordHash, role: 'super_admin', breakGlass, mustChangePassword })
  })
}

/** Throws not_found. */
export async function lockAdmin(tx: Tx, username: string): Promise<AccountAdmin> {
  const [admin] = await tx.select(adminColumns).from(admins).where(hasUsername(username)).for('update')
  if (!admin) throw unknownAdminError(username)
  return admin
}

/** Locks the row of an admin who is known to exist, with its hash. */
export async function lockAdminById(tx: Tx, id: string) {
  const [account] = await tx.select().from(admins).where(eq(admins.id, id)).for('update')
  if (!account) throw new AppError('unauthorized', 'Unauthorized')
  return account
}

/** The row of the signed-in admin, with its hash. */
export async function findAdmin(db: Db, id: string) {
  const [account] = await db.select().from(admins).where(eq(admins.id, id))
  if (!account) throw new AppError('unauthorized', 'Unauthorized')
  return account
}

/**
 * Sets a new password, which the next sign-in asks to replace, ends the admin's sessions, forgets known devices and
 * unlocks the account.
 */
export async function setPassword(ctx: Ctx, username: string, password: string): Promise<{ endedSessions: number }> {
  await requirePassword(password, username)
  const passwordHash = await hashPassword(password)
  return inTransaction(ctx, async (tx) => {
    const admin = await lockAdmin(tx, username)
    await tx.update(admins).set({ passwordHash, mustChangePassword: true }).where(eq(admins.id, admin.id))
    // An invitation would set another first password.
    await tx.delete(operatorInvitations).where(eq(operatorInvitations.adminId, admin.id))
    const ended = await endSessionsOf(tx, admin.id, 'password_set')
    await tx.delete(knownDevices).where(eq(knownDevices.adminId, admin.id))
    await clearThrottle(tx, admin.id)
    const details = { username: admin.username, endedSessions: ended }
    await audit(tx, ctx, { action: 'set_password', target: { type: 'admin', id: admin.id }, details })
    return { endedSessions: ended.length }
  })
}

/** Says whether an admin's password signs in although passwords are closed. False if it was so. Throws not_found. */
export const setBreakGlass = (ctx: Ctx, username: string, breakGlass: boolean): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const admin = await lockAdmin(tx, username)
    const changed = await tx
      .update(admins)
      .set({ breakGlass })
      .where(and(eq(admins.id, admin.id), ne(admins.breakGlass, breakGlass)))
      .returning({ id: admins.id })
    if (changed.length === 0) return false
    const details = { username: admin.username, before: !breakGlass, after: breakGlass }
    await audit(tx, ctx, { action: 'set_break_glass', target: { type: 'admin', id: admin.id }, details })
    if (breakGlass) await reportBreakGlass(tx, ctx, admin.username)
    return true
  })

/** All admins by name, with their state and the number of their sessions. */
export async function listAdmins({ database }: Ctx) {
  const openSessions = database.db.$count(sessions, sql`${sessions.adminId} = ${admins.id} AND ${isAlive}`)
  return database.db
    .select({ ...adminColumns, openSessions, disabledAt: admins.disabledAt, breakGlass: admins.breakGlass, hasJoined })
    .from(admins)
    .orderBy(asc(sql`lower(${admins.username})`))
}

/** The sessions of one admin or of all, newest first. Throws not_found for an unknown name. */
export async function listSessions({ database }: Ctx, username?: string) {
  if (username !== undefined && (await database.db.$count(admins, hasUsername(username))) === 0)
    throw unknownAdminError(username)
  return database.db
    .select({
      id: sessions.id,
      username: admins.username,
      createdAt: sessions.createdAt,
      lastActiveAt: sessions.lastActiveAt,
      ipAddress: sessions.ipAddress,
      userAgent: sessions.userAgent,
    })
    .from(sessions)
    .innerJoin(admins, eq(admins.id, sessions.adminId))
    .where(and(isAlive, username === undefined ? undefined : hasUsername(username)))
    .orderBy(desc(sessions.createdAt), desc(sessions.id))
}

/** Ends one session by its id. Throws not_found. */
export async function endSessionById(ctx: Ctx, id: string): Promise<{ username: string }> {
  return inTransaction(ctx, async (tx) => {
    const [admin] = await tx
      .select({ username: admins.username })
      .from(sessions)
      .innerJoin(admins, eq(admins.id, sessions.adminId))
      .where(eq(sessions.id, id))
    const ended = await endSessionsWhere(tx, 'ended_by_operator', eq(sessions.id, id))
    if (ended.length === 0) throw new AppError('not_found', `There is no session ${id}`)
    const details = { username: admin!.username }
    await audit(tx, ctx, { action: 'end_session', target: { type: 'session', id }, details })
    return details
  })
}

/** Ends all sessions of an admin. Returns their number. Throws not_found. */
export async function endAllSessions(ctx: Ctx, username: string): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const admin = await lockAdmin(tx, username)
    const ended = await endSessionsOf(tx, admin.id, 'ended_by_operator')
    if (ended.length > 0) {
      const details = { username: admin.username, endedSessions: ended }
      await audit(tx, ctx, { action: 'end_session', target: { type: 'admin', id: admin.id }, details })
    }
    return ended.length
  })
}

/** Ends all sessions of all admins. Returns their number. */
export async function endEverySession(ctx: Ctx): Promise<number> {
  return inTransaction(ctx, async (tx) => {
    const ids = await endSessionsWhere(tx, 'ended_by_operator')
    if (ids.length > 0) await audit(tx, ctx, { action: 'end_session', details: { endedSessions: ids } })
    return ids.length
  })
}

/** Which of these sessions are still valid. This does not count as activity. */
export async function filterActiveSessions(database: Database, sessionIds: string[]): Promise<Set<string>> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM sessions WHERE id = ANY($1::bigint[]) AND ${aliveText}`,
    [sessionIds],
  )
  return new Set(rows.map(({ id }) => id))
}
