import type { StepUpMethod } from '#contract/factors.ts'
import type { StepUp } from '#contract/schemas/auth.ts'
import { audit } from '#server/core/audit.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { findAdmin, lockAdminById } from './admins.ts'
import { acceptFactor, type FactorProof } from './factors/accept-factor.ts'
import { listStepUpMethods, offerPasskey } from './factors/methods.ts'
import { countOwnAttempt, forgetAttempt } from './throttle.ts'
import { dummyHash, verifyPassword } from './passwords.ts'
import { confirmPlace, readPlace } from './session-places.ts'
import { lockSession, renewAuthentication, rotateToken } from './sessions.ts'
import { limitKnownSignIns } from './sign-in.ts'
import { recordFailure, type FailureKind } from './sign-in-failures.ts'
import { wrongFactorError } from './second-factor.ts'

const stepUpFailure: FailureKind = {
  action: 'step_up_failed',
  eventType: 'step_up_failed',
  description: (who) => `Failed confirmation of identity in a session of ${who}`,
}
const wrongPasswordError = () => new AppError('invalid_credentials', 'This password is not right')

const ownerOf = (ctx: Ctx) => {
  const { id, sessionId } = adminOf(ctx)
  return { purpose: 'passkey_step_up', adminId: id, sessionId } as const
}

/** What renews the authentication of this session, with a challenge for a passkey. */
export async function readStepUpOptions(ctx: Ctx, askedHost: string) {
  return inTransaction(ctx, async (tx) => {
    const offered = await listStepUpMethods(tx, ctx, adminOf(ctx).id, askedHost)
    return { ...offered, passkey: await offerPasskey(tx, ctx, offered.methods, ownerOf(ctx)) }
  })
}

interface Browser {
  deviceToken: string | undefined
  userAgent: string
}

/** Refuses what would not renew the authentication, such as the password of an admin who has a factor. */
function requireMethod(given: StepUpMethod, methods: readonly StepUpMethod[]): void {
  if (!methods.includes(given)) throw invalidField('method', `must be ${methods.join(' or ') || 'given elsewhere'}`)
}

/**
 * Renews the authentication of this session, which gets another token, and confirms where it is used. A wrong password or code counts as at sign-in. Throws
 * invalid for a method that the admin cannot use, invalid_credentials, too_many_requests and overloaded.
 */
export async function stepUp(
  ctx: Ctx,
  given: StepUp,
  from: Browser & { askedHost: string },
): Promise<{ token: string; validUntil: string }> {
  const { id } = adminOf(ctx)
  const { methods } = await listStepUpMethods(ctx.database.db, ctx, id, from.askedHost)
  requireMethod(given.method, methods)
  return given.method === 'password' ? stepUpByPassword(ctx, given, from) : stepUpByFactor(ctx, given, from)
}

const stepUpByPassword = (ctx: Ctx, { password }: { password: string }, from: Browser) =>
  limitKnownSignIns(async () => {
    const { id } = adminOf(ctx)
    const { attempt } = await countOwnAttempt(ctx, id, from.deviceToken)
    const account = await findAdmin(ctx.database.db, id)
    const isRight = await verifyPassword(account.passwordHash ?? dummyHash, password)
    const result = await inTransaction(ctx, async (tx) => {
      const { passwordHash } = await lockAdminById(tx, id)
      if (isRight && passwordHash === account.passwordHash) {
        await forgetAttempt(tx, attempt)
        return saveStepUp(tx, ctx, 'password', from)
      }
      await recordFailure(tx, ctx, account, attempt, stepUpFailure)
      return null
    })
    if (!result) throw wrongPasswordError()
    return result
  })

async function stepUpByFactor(ctx: Ctx, proof: FactorProof, from: Browser) {
  const { id } = adminOf(ctx)
  const { attempt } = await countOwnAttempt(ctx, id, from.deviceToken)
  const result = await inTransaction(ctx, async (tx) => {
    const account = await lockAdminById(tx, id)
    if (await acceptFactor(tx, ctx, ownerOf(ctx), proof)) {
      await forgetAttempt(tx, attempt)
      return saveStepUp(tx, ctx, proof.method, from)
    }
    await recordFailure(tx, ctx, account, attempt, stepUpFailure)
    return null
  })
  if (!result) throw wrongFactorError(proof)
  return result
}

/**
 * Renews the authentication of a session whose admin the provider has just asked. Null if the session has ended, or its
 * admin was disabled.
 */
export async function stepUpByProvider(
  tx: Tx,
  ctx: Ctx,
  owner: { adminId: string; sessionId: string },
  from: { userAgent: string },
): Promise<{ token: string } | null> {
  const session = await lockSession(tx, owner)
  if (!session) return null
  const { id, username: name, role } = session
  return saveStepUp(tx, { ...ctx, actor: { kind: 'admin', id, name, role, sessionId: owner.sessionId } }, 'oidc', from)
}

async function saveStepUp(tx: Tx, ctx: Ctx, method: StepUpMethod, { userAgent }: { userAgent: string }) {
  const { id, name: username, sessionId } = adminOf(ctx)
  const token = await rotateToken(tx, sessionId)
  const validUntil = await renewAuthentication(tx, sessionId, method)
  await confirmPlace(tx, sessionId, readPlace(ctx.ipAddress ?? '', userAgent))
  await audit(tx, ctx, { action: 'step_up', target: { type: 'admin', id }, details: { username, method, sessionId } })
  return { token, validUntil }
}
