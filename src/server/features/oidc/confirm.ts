import type { ProviderClaims } from '#server/adapters/oidc-provider.ts'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { hasFactor, lockSession, stepUpByProvider } from '#server/features/auth/service.ts'
import { requireOidc } from './begin.ts'
import { findLinkedOperator, linkIdentity } from './identities.ts'
import { ProviderRefusal } from './refusals.ts'

/** The provider's clock may be behind ours. */
const clockSkewSeconds = 60

interface SessionOwner {
  adminId: string
  sessionId: string
}

/**
 * Renews the authentication of a session by the provider, which has to have asked for credentials since it was begun.
 * Returns the session's new token. Throws the refusal.
 */
export async function confirmByProvider(
  tx: Tx,
  ctx: Ctx,
  { subject, authenticatedAt, hasSecondFactor }: ProviderClaims,
  begun: SessionOwner & { createdAt: string; userAgent: string },
): Promise<string> {
  const { issuer } = requireOidc(ctx)
  const { adminId } = begun
  if ((await findLinkedOperator(tx, { issuer, subject })) !== adminId)
    throw new ProviderRefusal('other_person', { adminId, subject })
  const earliest = Date.parse(begun.createdAt) / 1000 - clockSkewSeconds
  if (authenticatedAt === null || authenticatedAt < earliest) throw new ProviderRefusal('not_asked_again', { adminId })
  // The provider stands in for an own factor only where it has asked for a second one itself.
  if (!hasSecondFactor && (await hasFactor(tx, adminId))) throw new ProviderRefusal('no_second_factor', { adminId })
  const renewed = await stepUpByProvider(tx, ctx, begun, begun)
  if (!renewed) throw new ProviderRefusal('session_over')
  return renewed.token
}

/** Links the account of a session to the provider. Throws the refusal. */
export async function linkByProvider(
  tx: Tx,
  ctx: Ctx,
  { subject }: ProviderClaims,
  owner: SessionOwner,
): Promise<void> {
  const { issuer, name } = requireOidc(ctx)
  const admin = await lockSession(tx, owner)
  if (!admin) throw new ProviderRefusal('session_over')
  const { id, username, role } = admin
  if (!(await linkIdentity(tx, { issuer, subject }, id)))
    throw new ProviderRefusal('identity_taken', { username, subject })
  const actor = { kind: 'admin' as const, id, name: username, sessionId: owner.sessionId, role }
  const details = { username, issuer }
  await audit(tx, { ...ctx, actor }, { action: 'link_provider', target: { type: 'admin', id }, details })
  await raiseSecurityEvent(tx, ctx, {
    severity: 'medium',
    type: 'provider_linked',
    description: `${username} linked their account to ${name}`,
    details,
  })
}
