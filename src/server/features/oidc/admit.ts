import type { Role } from '#contract/permissions.ts'
import type { ProviderClaims } from '#server/adapters/oidc-provider.ts'
import type { OidcSettings } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { lockAdminById } from '#server/features/auth/service.ts'
import { acceptByProvider, addOperator, followRole, operatorsLock } from '#server/features/operators/service.ts'
import { AppError } from '#server/lib/errors.ts'
import { requireOidc } from './begin.ts'
import { findLinkedOperator, linkIdentity, noteIdentityUse, type Identity } from './identities.ts'
import { ProviderRefusal } from './refusals.ts'

/** An operator who may enter. `isNew`: has just joined by this sign-in. */
export interface Admission {
  id: string
  isNew: boolean
}

/** Who changes roles and operators by what the provider says. */
const byProvider = (ctx: Ctx): Ctx => ({ ...ctx, actor: { kind: 'system', name: 'sign-in provider' } })

/**
 * The role that the groups mean: that of the first group of OIDC_ROLES that is among them. Null where roles are given
 * in the console. Throws the refusal where no group has a role.
 */
function findRole({ roles }: OidcSettings, { groups, subject }: ProviderClaims): Role | null {
  if (roles.length === 0) return null
  const found = roles.find(([group]) => groups.includes(group))
  if (!found) throw new ProviderRefusal('no_role', { subject })
  return found[1]
}

/** Locks an operator who comes by an identity, with the role that the groups mean. Throws if it is disabled. */
async function lockAdmitted(tx: Tx, ctx: Ctx, identity: Identity, id: string, role: Role | null): Promise<void> {
  const { disabledAt, username } = role ? await followRole(tx, byProvider(ctx), id, role) : await lockAdminById(tx, id)
  if (disabledAt !== null) throw new ProviderRefusal('disabled', { username })
  await noteIdentityUse(tx, identity)
}

/** Admits the operator of an identity, or makes one where a group has a role. Throws the refusal. */
export async function admitByIdentity(tx: Tx, ctx: Ctx, claims: ProviderClaims): Promise<Admission> {
  const settings = requireOidc(ctx)
  const identity = { issuer: settings.issuer, subject: claims.subject }
  const role = findRole(settings, claims)
  const known = await findLinkedOperator(tx, identity)
  if (!known) {
    if (!role) throw new ProviderRefusal('not_linked', { subject: claims.subject })
    // Of two first sign-ins at once the second finds the operator that the first has made.
    await lockInTransaction(tx, operatorsLock)
  }
  const id = known ?? (await findLinkedOperator(tx, identity))
  if (id) {
    await lockAdmitted(tx, ctx, identity, id, role)
    return { id, isNew: false }
  }
  return { id: await makeOperator(tx, ctx, identity, { username: claims.name, role: role! }), isNew: true }
}

async function makeOperator(tx: Tx, ctx: Ctx, identity: Identity, given: { username: string; role: Role }) {
  const added = await addOperator(tx, byProvider(ctx), given).catch((error: unknown) => {
    const code = error instanceof AppError ? error.code : undefined
    if (code === 'operator_limit') throw new ProviderRefusal('operator_limit')
    if (code === 'username_taken' || code === 'invalid') throw new ProviderRefusal('name_taken', given)
    throw error
  })
  await linkIdentity(tx, identity, added.id)
  return added.id
}

/** Admits who has an invitation, and links the identity to its operator. Throws the refusal. */
export async function admitByInvitation(
  tx: Tx,
  ctx: Ctx,
  claims: ProviderClaims,
  codeHash: Buffer,
): Promise<Admission> {
  const settings = requireOidc(ctx)
  const identity = { issuer: settings.issuer, subject: claims.subject }
  const role = findRole(settings, claims)
  const joined = await acceptByProvider(tx, byProvider(ctx), codeHash)
  if (!joined) throw new ProviderRefusal('invitation_over')
  if (!(await linkIdentity(tx, identity, joined.id)))
    throw new ProviderRefusal('identity_taken', { subject: claims.subject })
  await lockAdmitted(tx, ctx, identity, joined.id, role)
  return { id: joined.id, isNew: true }
}
