import { eq, sql } from 'drizzle-orm'
import type { Admin } from '#contract/auth.ts'
import { audit } from '#server/audit.ts'
import { inTransaction, type Ctx } from '#server/context.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError } from '#server/errors.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSession, openSession } from './sessions.ts'

export interface SignIn {
  username: string
  password: string
  userAgent: string
  presentedToken: string | undefined
}

const columns = {
  id: admins.id,
  username: admins.username,
  createdAt: admins.createdAt,
  lastSignInAt: admins.lastSignInAt,
}

export async function createAdmin(ctx: Ctx, username: string, password: string): Promise<Admin> {
  const passwordHash = await hashPassword(password)
  return inTransaction(ctx, async (tx) => {
    const [admin] = await tx.insert(admins).values({ username, passwordHash }).returning(columns)
    await audit(tx, ctx, { action: 'create_admin', target: { type: 'admin', id: admin!.id }, details: { username } })
    return admin!
  })
}

export async function signIn(ctx: Ctx, given: SignIn): Promise<{ admin: Admin; token: string }> {
  const [found] = await ctx.database.db
    .select()
    .from(admins)
    .where(eq(sql`lower(${admins.username})`, given.username.toLowerCase()))
  if (!found || !(await verifyPassword(found.passwordHash, given.password)))
    throw new AppError('invalid_credentials', 'Invalid credentials')
  return inTransaction(ctx, async (tx) => {
    const [admin] = await tx.update(admins).set({ lastSignInAt: sql`now()` }).where(eq(admins.id, found.id)).returning(columns)
    const { token, sessionId } = await openSession(tx, found.id, { ...given, ipAddress: ctx.ipAddress ?? '' })
    const signedIn: Ctx = { ...ctx, actor: { kind: 'admin', id: found.id, name: found.username, sessionId } }
    await audit(tx, signedIn, { action: 'login', target: { type: 'admin', id: found.id } })
    return { admin: admin!, token }
  })
}

export async function signOut(ctx: Ctx, token: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const ended = await endSession(tx, token)
    if (!ended) return
    const { adminId, username, sessionId } = ended
    const actor = { kind: 'admin' as const, id: adminId, name: username, sessionId }
    await audit(tx, { ...ctx, actor }, { action: 'logout', target: { type: 'admin', id: adminId } })
  })
}
