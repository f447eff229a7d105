import { challengeMinutes } from '#contract/factors.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { AppError } from '#server/lib/errors.ts'
import { lockAdminById } from './admins.ts'
import {
  completeSignIn,
  isPasswordOpen,
  updateSignedIn,
  type SignInEntry,
  type SignInResult,
  type SignInSource,
} from './complete-sign-in.ts'
import { acceptFactor, type FactorProof } from './factors/accept-factor.ts'
import { openChallenge, redeemChallenge, type PendingSignIn } from './factors/challenges.ts'
import { listFactorMethods, offerPasskey, type OfferedMethods } from './factors/methods.ts'
import { countOwnAttempt, uncountAttempt } from './throttle.ts'
import { newToken } from './sessions.ts'
import { recordFailure, type FailureKind } from './sign-in-failures.ts'

/** A cookie for the time between password and second factor. It opens nothing else. */
export const secondFactorCookie = 'mfa'
export const secondFactorSeconds = challengeMinutes * 60

/** A right password whose sign-in waits for a second factor. */
export interface SecondFactorStep extends OfferedMethods {
  pendingToken: string
}

/**
 * Begins the second step after the right password, or after the provider. The failures of the account stay counted,
 * since the password alone must not take wrong codes back. Throws invalid_credentials if the password was changed, or
 * the account was disabled meanwhile.
 */
export async function beginSecondFactor(
  tx: Tx,
  ctx: Ctx,
  entry: SignInEntry & { askedHost: string },
): Promise<SecondFactorStep> {
  const { account, password, attempt, askedHost } = entry
  await updateSignedIn(tx, ctx, entry, false)
  if (attempt) await uncountAttempt(tx, attempt)
  const pendingToken = newToken()
  const purpose = password ? 'sign_in' : 'oidc_sign_in'
  const owner = { purpose, adminId: account.id, sessionId: null } as const
  await openChallenge(tx, { ...owner, value: pendingToken, minutes: challengeMinutes })
  return { pendingToken, ...(await listFactorMethods(tx, ctx, account.id, askedHost)) }
}

/** What completes the sign-in, with a challenge for a passkey. */
export async function readSecondFactorOptions(ctx: Ctx, { adminId }: PendingSignIn, askedHost: string) {
  return inTransaction(ctx, async (tx) => {
    const offered = await listFactorMethods(tx, ctx, adminId, askedHost)
    const owner = { purpose: 'passkey_sign_in', adminId, sessionId: null } as const
    return { ...offered, passkey: await offerPasskey(tx, ctx, offered.methods, owner) }
  })
}

const factorFailure: FailureKind = {
  action: 'login_failed',
  eventType: 'second_factor_failed',
  least: 'medium',
  description: (who) => `Wrong second factor after the right password of ${who}`,
}
const describeRefusal = ({ method }: FactorProof) =>
  method === 'passkey' ? 'This passkey is not accepted' : 'This code is not valid'

export const wrongFactorError = (proof: FactorProof) => new AppError('invalid_credentials', describeRefusal(proof))

/** The sign-in was completed, or its time is over, so it begins again with the password. */
export const signInOverError = () =>
  new AppError('unauthorized', 'Unauthorized: this sign-in is over; begin again with the password')

/**
 * Completes a sign-in with a second factor. A wrong one counts as a wrong password does. Throws invalid_credentials,
 * unauthorized if the sign-in is over, and too_many_requests while a lock holds.
 */
export async function completeSecondFactor(
  ctx: Ctx,
  { adminId, value, purpose }: PendingSignIn,
  given: SignInSource,
  proof: FactorProof,
): Promise<SignInResult> {
  const { attempt, network } = await countOwnAttempt(ctx, adminId, given.deviceToken)
  const result = await inTransaction(ctx, async (tx) => {
    const account = await lockAdminById(tx, adminId)
    const owner = { purpose: 'passkey_sign_in', adminId, sessionId: null } as const
    if (!(await acceptFactor(tx, ctx, owner, proof))) {
      await recordFailure(tx, ctx, account, attempt, factorFailure)
      return null
    }
    if (!(await redeemChallenge(tx, value, { ...owner, purpose }))) throw signInOverError()
    const entry = { account, given, network, attempt }
    if (purpose === 'oidc_sign_in') {
      if (account.disabledAt !== null) throw signInOverError()
      return completeSignIn(tx, ctx, { ...entry, methods: ['oidc', proof.method] })
    }
    if (!isPasswordOpen(ctx.config, account)) throw signInOverError()
    const password = { before: account.passwordHash, after: account.passwordHash }
    return completeSignIn(tx, ctx, { ...entry, password, methods: ['password', proof.method] })
  })
  if (!result) throw wrongFactorError(proof)
  return result
}
