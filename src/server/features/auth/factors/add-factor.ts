import { eq } from 'drizzle-orm'
import { challengeMinutes, factorLabels, mostFactors, totpSetupMinutes } from '#contract/factors.ts'
import type { Factor } from '#contract/schemas/factors.ts'
import type { PasskeyCreation, PasskeyCreationOptions } from '#contract/schemas/passkeys.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { adminFactors } from '#server/db/tables/factors.ts'
import { lockAdminById } from '#server/features/auth/admins.ts'
import { endSessionsOf, newToken } from '#server/features/auth/sessions.ts'
import { AppError, invalidField, sqlState } from '#server/lib/errors.ts'
import { findChallenge, openChallenge, redeemChallenge, type ChallengeOwner } from './challenges.ts'
import { factorColumns } from './list.ts'
import { requireRelyingParty } from './methods.ts'
import { beginPasskeyCreation, readCreatedPasskey } from './passkeys.ts'
import { replaceRecoveryCodes } from './recovery-codes.ts'
import { findPasskeyProblem } from './relying-party.ts'
import { openSeed, sealSeed } from './seed-key.ts'
import { createSeed, findStep, readCodeTime } from './totp.ts'

/** A factor that was added. `recoveryCodes` come with the first one, else null. */
export interface AddedFactor {
  factor: Factor
  recoveryCodes: string[] | null
}

type NewFactor = typeof adminFactors.$inferInsert

const ownerOf = (ctx: Ctx, purpose: ChallengeOwner['purpose']): ChallengeOwner => {
  const { id, sessionId } = adminOf(ctx)
  return { purpose, adminId: id, sessionId }
}

/** Throws factor_limit. Returns how many factors the admin has. */
async function requireFreeFactor(tx: Tx, adminId: string): Promise<number> {
  const present = await tx.$count(adminFactors, eq(adminFactors.adminId, adminId))
  if (present >= mostFactors)
    throw new AppError('factor_limit', `There are ${mostFactors} factors already; remove one first`)
  return present
}

/** Begins to add a passkey. Throws factor_limit, and passkeys_unavailable where the browser would refuse. */
export async function beginPasskey(ctx: Ctx, askedHost: string): Promise<{ options: PasskeyCreationOptions }> {
  const party = requireRelyingParty(ctx.config)
  const problem = findPasskeyProblem(ctx.config, askedHost)
  if (problem) throw new AppError('passkeys_unavailable', problem)
  const { id, name } = adminOf(ctx)
  return inTransaction(ctx, async (tx) => {
    await requireFreeFactor(tx, id)
    return { options: await beginPasskeyCreation(tx, party, { ...ownerOf(ctx, 'passkey_setup'), username: name }) }
  })
}

/** Adds the passkey that a browser created. Throws invalid, passkey_taken, factor_limit and passkeys_unavailable. */
export async function addPasskey(
  ctx: Ctx,
  { name, response }: { name: string; response: PasskeyCreation },
): Promise<AddedFactor> {
  const party = requireRelyingParty(ctx.config)
  const owner = ownerOf(ctx, 'passkey_setup')
  try {
    const added = await inTransaction(ctx, async (tx) => {
      await lockAdminById(tx, owner.adminId)
      const passkey = await readCreatedPasskey(tx, ctx, party, owner, response)
      return passkey && saveFactor(tx, ctx, { adminId: owner.adminId, kind: 'passkey', name, ...passkey })
    })
    if (added) return added
  } catch (error) {
    if (sqlState(error) === '23505') throw new AppError('passkey_taken', 'This passkey is already added')
    throw error
  }
  throw invalidField('response', `is not an answer to a challenge of the last ${challengeMinutes} minutes; begin again`)
}

/** Begins to add an authenticator app: its seed waits for the first code. Throws factor_limit. */
export async function beginTotp(ctx: Ctx) {
  const { id, name } = adminOf(ctx)
  const { seed, secret, uri } = createSeed(name)
  const sealed = await sealSeed(ctx.config, id, seed)
  const setup = newToken()
  return inTransaction(ctx, async (tx) => {
    await requireFreeFactor(tx, id)
    const owner = ownerOf(ctx, 'totp_setup')
    const expiresAt = await openChallenge(tx, { ...owner, value: setup, minutes: totpSetupMinutes, seed: sealed })
    return { setup, uri, secret, expiresAt }
  })
}

/** Adds the authenticator app of the code. A wrong code leaves the setup open. Throws invalid and factor_limit. */
export async function addTotp(
  ctx: Ctx,
  { name, setup, code }: { name: string; setup: string; code: string },
): Promise<AddedFactor> {
  const owner = ownerOf(ctx, 'totp_setup')
  return inTransaction(ctx, async (tx) => {
    await lockAdminById(tx, owner.adminId)
    const begun = await findChallenge(tx, setup, owner)
    if (!begun) throw invalidField('setup', 'is not known, or its time is over; begin again')
    // Every setup is stored with its seed.
    const sealed = { secretEnc: begun.secretEnc!, keyId: begun.keyId! }
    const seed = await openSeed(ctx.config, owner.adminId, sealed)
    const lastStep = findStep(seed, code, await readCodeTime(tx, ctx))
    if (lastStep === null) throw invalidField('code', 'is not the code that the app shows now')
    await redeemChallenge(tx, setup, owner)
    return saveFactor(tx, ctx, { adminId: owner.adminId, kind: 'totp', name, ...sealed, lastStep })
  })
}

/** Stores a factor with its audit row and event. Ends the admin's other sessions. */
async function saveFactor(tx: Tx, ctx: Ctx, given: NewFactor): Promise<AddedFactor> {
  const { id: adminId, name: username, sessionId, role } = adminOf(ctx)
  const present = await requireFreeFactor(tx, adminId)
  const [factor] = await tx
    .insert(adminFactors)
    .values({ ...given, name: given.name.trim() })
    .returning(factorColumns)
  const recoveryCodes = present === 0 ? await replaceRecoveryCodes(tx, adminId) : null
  const endedSessions = await endSessionsOf(tx, adminId, 'factors_changed', sessionId)
  const { kind, name } = factor!
  const details = { factorId: factor!.id, kind, name, endedSessions }
  await audit(tx, ctx, { action: 'add_factor', target: { type: 'admin', id: adminId }, details })
  await raiseSecurityEvent(tx, ctx, {
    // Anyone who has the account of a super admin would add one of his own.
    severity: role === 'super_admin' ? 'high' : 'medium',
    type: 'factor_added',
    description: `${username} added a second factor: ${factorLabels[kind]}`,
    details: { username, kind, name, endedSessions: endedSessions.length },
  })
  return { factor: factor!, recoveryCodes }
}
