import { and, desc, eq } from 'drizzle-orm'
import type { AccountSession } from '#contract/schemas/account.ts'
import { audit } from '#server/core/audit.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import { admins, sessions } from '#server/db/tables/auth.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { describeDevice } from './describe-device.ts'
import { endSessionsOf, endSessionsWhere, isAlive } from './sessions.ts'

/** The sessions of the signed-in admin: the one that asks, then the others by last use. */
export async function listOwnSessions(ctx: Ctx): Promise<AccountSession[]> {
  const { id: adminId, sessionId } = adminOf(ctx)
  const rows = await ctx.database.db
    .select({
      id: sessions.id,
      userAgent: sessions.userAgent,
      ipAddress: sessions.ipAddress,
      createdAt: sessions.createdAt,
      lastActiveAt: sessions.lastActiveAt,
    })
    .from(sessions)
    .where(and(eq(sessions.adminId, adminId), isAlive))
    .orderBy(desc(sessions.lastActiveAt), desc(sessions.id))
  const listed = rows.map((row) => ({ ...row, ...describeDevice(row.userAgent), isCurrent: row.id === sessionId }))
  return [...listed.filter(({ isCurrent }) => isCurrent), ...listed.filter(({ isCurrent }) => !isCurrent)]
}

/** Ends another session of the signed-in admin. Throws own_session for the one that asks, and not_found. */
export async function endOwnSession(ctx: Ctx, id: string): Promise<void> {
  const { id: adminId, name, sessionId } = adminOf(ctx)
  if (id === sessionId) throw new AppError('own_session', 'This is the session you are using: sign out instead')
  await inTransaction(ctx, async (tx) => {
    const isMeant = and(eq(sessions.id, id), eq(sessions.adminId, adminId), isAlive)
    const ended = await endSessionsWhere(tx, 'ended_by_owner', isMeant)
    if (ended.length === 0) throw notFound('Session')
    await audit(tx, ctx, { action: 'end_session', target: { type: 'session', id }, details: { username: name } })
  })
}

/** Ends all sessions of the signed-in admin but the one that asks. Returns their number. */
export async function endOtherSessions(ctx: Ctx): Promise<number> {
  const { id: adminId, name, sessionId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    // Sign-ins lock the same row, so none opens a session meanwhile.
    await tx.select({ id: admins.id }).from(admins).where(eq(admins.id, adminId)).for('update')
    const ended = await endSessionsOf(tx, adminId, 'ended_by_owner', sessionId)
    if (ended.length > 0) {
      const details = { username: name, endedSessions: ended }
      await audit(tx, ctx, { action: 'end_session', target: { type: 'admin', id: adminId }, details })
    }
    return ended.length
  })
}
