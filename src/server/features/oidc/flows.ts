import { createHmac } from 'node:crypto'
import { and, eq, gt, isNull, sql } from 'drizzle-orm'
import { providerMinutes } from '#contract/oidc.ts'
import type { ProviderRequest } from '#server/adapters/oidc-provider.ts'
import type { Tx } from '#server/db/client.ts'
import { oidcFlows, type OidcPurpose } from '#server/db/tables/oidc.ts'
import { newToken } from '#server/features/auth/service.ts'
import { sha256 } from '#server/lib/hash.ts'

/** Binds what began to the browser that began it. SameSite=Lax, since the provider's site sends the browser back. */
export const flowCookie = 'oidc'
export const flowSeconds = providerMinutes * 60

/** What is begun, and by whom. */
export interface NewFlow {
  issuer: string
  purpose: OidcPurpose
  adminId?: string
  sessionId?: string
  invitationHash?: Buffer
  returnTo?: string | undefined
  presentedHash?: Buffer | undefined
  deviceHash?: Buffer | undefined
}
export type Flow = typeof oidcFlows.$inferSelect

/** The values of a request follow from the browser's cookie and the state, so that no table has to hold them. */
export function deriveRequest(browserToken: string, state: string): ProviderRequest {
  const derive = (use: string) => createHmac('sha256', browserToken).update(`${use} ${state}`).digest('base64url')
  return { state, nonce: derive('nonce'), codeVerifier: derive('code verifier') }
}

/**
 * Stores what was begun, for ten minutes. Returns the values for the provider and the browser's cookie, which keeps its
 * value, so that each of several begun sign-ins of one browser can be finished.
 */
export async function openFlow(
  tx: Tx,
  presented: string | undefined,
  flow: NewFlow,
): Promise<{ request: ProviderRequest; browserToken: string }> {
  const browserToken = presented || newToken()
  const state = newToken()
  await tx
    .insert(oidcFlows)
    .values({
      ...flow,
      stateHash: sha256(state),
      browserHash: sha256(browserToken),
      expiresAt: sql`now() + make_interval(mins => ${providerMinutes})`,
    })
  return { request: deriveRequest(browserToken, state), browserToken }
}

/** Uses up what a browser began. Null for another browser, an unknown or used state, and after ten minutes. */
export async function redeemFlow(
  tx: Tx,
  given: { issuer: string; state: string; browserToken: string },
): Promise<Flow | null> {
  const [flow] = await tx
    .update(oidcFlows)
    .set({ usedAt: sql`now()` })
    .where(
      and(
        eq(oidcFlows.stateHash, sha256(given.state)),
        eq(oidcFlows.browserHash, sha256(given.browserToken)),
        eq(oidcFlows.issuer, given.issuer),
        isNull(oidcFlows.usedAt),
        gt(oidcFlows.expiresAt, sql`clock_timestamp()`),
      ),
    )
    .returning()
  return flow ?? null
}
