import { and, eq, sql } from 'drizzle-orm'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { operatorIdentities } from '#server/db/tables/oidc.ts'
import { endSessionsOf, lockAdmin } from '#server/features/auth/service.ts'

/** Who a person is at a provider. E-mail addresses and names change hands, so neither is looked at. */
export interface Identity {
  issuer: string
  subject: string
}

const isIdentity = ({ issuer, subject }: Identity) =>
  and(eq(operatorIdentities.issuer, issuer), eq(operatorIdentities.subject, subject))

/** The operator of an identity, or null. */
export async function findLinkedOperator(tx: Tx, identity: Identity): Promise<string | null> {
  const [found] = await tx
    .select({ adminId: operatorIdentities.adminId })
    .from(operatorIdentities)
    .where(isIdentity(identity))
  return found?.adminId ?? null
}

/** Links an identity to an operator. False if it has an operator already, or the operator has an identity. */
export async function linkIdentity(tx: Tx, identity: Identity, adminId: string): Promise<boolean> {
  const added = await tx
    .insert(operatorIdentities)
    .values({ ...identity, adminId })
    .onConflictDoNothing()
    .returning({ adminId: operatorIdentities.adminId })
  return added.length > 0
}

export const noteIdentityUse = (tx: Tx, identity: Identity) =>
  tx
    .update(operatorIdentities)
    .set({ lastUsedAt: sql`now()` })
    .where(isIdentity(identity))

/** Takes an operator's identities away and ends his sessions, for an account that the provider has made again. Throws not_found. */
export const unlinkProvider = (ctx: Ctx, username: string): Promise<{ username: string; isUnlinked: boolean }> =>
  inTransaction(ctx, async (tx) => {
    const admin = await lockAdmin(tx, username)
    const removed = await tx
      .delete(operatorIdentities)
      .where(eq(operatorIdentities.adminId, admin.id))
      .returning({ issuer: operatorIdentities.issuer })
    if (removed.length === 0) return { username: admin.username, isUnlinked: false }
    const endedSessions = await endSessionsOf(tx, admin.id, 'provider_unlinked')
    const details = { username: admin.username, issuers: removed.map(({ issuer }) => issuer), endedSessions }
    await audit(tx, ctx, { action: 'unlink_provider', target: { type: 'admin', id: admin.id }, details })
    await raiseSecurityEvent(tx, ctx, {
      severity: 'high',
      type: 'provider_unlinked',
      description: `${admin.username} is no longer linked to the sign-in provider`,
      details: { username: admin.username },
    })
    return { username: admin.username, isUnlinked: true }
  })
