import { and, eq, isNull, sql } from 'drizzle-orm'
import { factorMethods, type FactorMethod, type StepUpMethod } from '#contract/factors.ts'
import type { PasskeyRequestOptions } from '#contract/schemas/passkeys.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { adminFactors, recoveryCodes } from '#server/db/tables/factors.ts'
import { AppError } from '#server/lib/errors.ts'
import type { ChallengeOwner } from './challenges.ts'
import { beginPasskeyUse } from './passkeys.ts'
import { findPasskeyProblem, readRelyingParty, type RelyingParty } from './relying-party.ts'

/** Whether an admin has a second factor, so that the password alone does not sign in. */
export const hasFactor = async (db: Db | Tx, adminId: string): Promise<boolean> =>
  (await db.$count(adminFactors, eq(adminFactors.adminId, adminId))) > 0

/** What an admin can use now, and why not his passkeys. */
export interface OfferedMethods {
  /** Empty for an admin without a factor. */
  methods: FactorMethod[]
  passkeyProblem?: string
}

/** What an admin can give at the address that his browser shows. */
export async function listFactorMethods(
  db: Db | Tx,
  { config }: Ctx,
  adminId: string,
  askedHost: string,
): Promise<OfferedMethods> {
  const rows = await db
    .selectDistinct({ kind: adminFactors.kind })
    .from(adminFactors)
    .where(eq(adminFactors.adminId, adminId))
  const kinds = new Set<FactorMethod>(rows.map(({ kind }) => kind))
  if (kinds.size === 0) return { methods: [] }
  const isOpen = and(eq(recoveryCodes.adminId, adminId), isNull(recoveryCodes.usedAt))
  if ((await db.$count(recoveryCodes, isOpen)) > 0) kinds.add('recovery')
  const passkeyProblem = kinds.has('passkey') ? findPasskeyProblem(config, askedHost) : null
  if (passkeyProblem) kinds.delete('passkey')
  const methods = factorMethods.filter((method) => kinds.has(method))
  return { methods, ...(passkeyProblem && { passkeyProblem }) }
}

/**
 * What renews an authentication: of an admin without a factor the provider or the password, by which he signs in; else
 * a factor, or the provider where it proves one.
 */
export async function listStepUpMethods(
  db: Db | Tx,
  ctx: Ctx,
  adminId: string,
  askedHost: string,
): Promise<{ methods: StepUpMethod[]; passkeyProblem?: string }> {
  const { isLinked, hasPassword } = await readSignInWays(db, ctx, adminId)
  if (!(await hasFactor(db, adminId)))
    return { methods: [...(isLinked ? ['oidc' as const] : []), ...(hasPassword ? ['password' as const] : [])] }
  const offered = await listFactorMethods(db, ctx, adminId, askedHost)
  const isProof = isLinked && (ctx.config.oidc?.secondFactors.length ?? 0) > 0
  return isProof ? { ...offered, methods: ['oidc', ...offered.methods] } : offered
}

/** By what an admin can sign in as this console is set. */
export async function readSignInWays(db: Db | Tx, { config }: Pick<Ctx, 'config'>, adminId: string) {
  const isLinked = sql<boolean>`EXISTS (SELECT FROM operator_identities i
    WHERE i.admin_id = admins.id AND i.issuer = ${config.oidc?.issuer ?? null})`
  const [ways] = await db
    .select({ isLinked, passwordHash: admins.passwordHash, breakGlass: admins.breakGlass })
    .from(admins)
    .where(eq(admins.id, adminId))
  const isPasswordOpen = config.isLocalSignInOpen || ways?.breakGlass === true
  return { isLinked: ways?.isLinked ?? false, hasPassword: isPasswordOpen && (ways?.passwordHash ?? null) !== null }
}

/** A challenge for the admin's passkeys, where `methods` has them. */
export async function offerPasskey(
  tx: Tx,
  { config }: Ctx,
  methods: readonly StepUpMethod[],
  owner: ChallengeOwner,
): Promise<PasskeyRequestOptions | null> {
  return methods.includes('passkey') ? beginPasskeyUse(tx, requireRelyingParty(config), owner) : null
}

/** Throws passkeys_unavailable where the settings name no address that passkeys work at. */
export function requireRelyingParty(config: Ctx['config']): RelyingParty {
  const party = readRelyingParty(config)
  if (!party) throw new AppError('passkeys_unavailable', findPasskeyProblem(config, '') ?? '')
  return party
}
