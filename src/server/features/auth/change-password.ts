import { and, eq } from 'drizzle-orm'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import { admins } from '#server/db/tables/auth.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { countOwnAttempt, forgetAttempt, type Attempt } from './throttle.ts'
import { requirePassword } from './password-policy.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSessionsOf, rotateToken } from './sessions.ts'
import { limitKnownSignIns } from './sign-in.ts'
import { recordFailure, type FailureKind } from './sign-in-failures.ts'

export interface PasswordChangeRequest {
  currentPassword: string
  newPassword: string
  deviceToken: string | undefined
}

const wrongPassword: FailureKind = {
  action: 'change_password_failed',
  eventType: 'password_change_failed',
  description: (who) => `Wrong current password at a password change of ${who}`,
}
const wrongPasswordError = () => new AppError('invalid_credentials', 'The current password is not right')

/**
 * Changes the password of the signed-in admin, ends all other sessions, and gives this one another token. Wrong current
 * passwords count as failed sign-ins do, so that an open console is no way to guess. Throws invalid by the policy,
 * invalid_credentials, too_many_requests while a lock holds, and overloaded.
 */
export async function changePassword(
  ctx: Ctx,
  { currentPassword, newPassword, deviceToken }: PasswordChangeRequest,
): Promise<{ token: string; endedSessions: number }> {
  const { id, name } = adminOf(ctx)
  if (newPassword === currentPassword) throw invalidField('newPassword', 'must differ from the current one')
  await requirePassword(newPassword, name, 'newPassword')
  return limitKnownSignIns(async () => {
    const [account] = await ctx.database.db.select().from(admins).where(eq(admins.id, id))
    const { attempt } = await countOwnAttempt(ctx, id, deviceToken)
    const before = account?.passwordHash ?? null
    if (before === null || !(await verifyPassword(before, currentPassword))) {
      await inTransaction(ctx, (tx) => recordFailure(tx, ctx, account, attempt, wrongPassword))
      throw wrongPasswordError()
    }
    return saveNewPassword(ctx, { before, after: await hashPassword(newPassword) }, attempt)
  })
}

async function saveNewPassword(ctx: Ctx, hashes: { before: string; after: string }, attempt: Attempt) {
  const { id, name, sessionId } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    // A password that was changed during the verification is the current one no more.
    const saved = await tx
      .update(admins)
      .set({ passwordHash: hashes.after, mustChangePassword: false })
      .where(and(eq(admins.id, id), eq(admins.passwordHash, hashes.before)))
      .returning({ id: admins.id })
    if (saved.length === 0) throw wrongPasswordError()
    await forgetAttempt(tx, attempt)
    const token = await rotateToken(tx, sessionId)
    const ended = await endSessionsOf(tx, id, 'password_changed', sessionId)
    const details = { username: name, endedSessions: ended }
    await audit(tx, ctx, { action: 'change_password', target: { type: 'admin', id }, details })
    await raiseSecurityEvent(tx, ctx, {
      severity: 'medium',
      type: 'password_changed',
      description: `${name} changed their own password`,
      details: { username: name, endedSessions: ended.length },
    })
    return { token, endedSessions: ended.length }
  })
}
