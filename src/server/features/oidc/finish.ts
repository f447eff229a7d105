import { eq, sql, type SQL } from 'drizzle-orm'
import { stepUpMinutes } from '#contract/factors.ts'
import { ProviderError, type OidcProvider, type ProviderClaims } from '#server/adapters/oidc-provider.ts'
import { raiseSecurityEvent } from '#server/core/audit.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import {
  beginSecondFactor,
  completeSignIn,
  hasFactor,
  type SecondFactorStep,
  type SignInResult,
  type SignInSource,
} from '#server/features/auth/service.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { confirmByProvider, linkByProvider } from './confirm.ts'
import { requireOidc } from './begin.ts'
import { deriveRequest, redeemFlow, type Flow } from './flows.ts'
import { admitByIdentity, admitByInvitation, type Admission } from './admit.ts'
import { ProviderRefusal, refusalTexts, type RefusalReason } from './refusals.ts'

/** What a return from the provider has led to. `returnTo` is null where the page closes its window. */
export type ProviderOutcome = { returnTo: string | null } & (
  | { kind: 'signed_in'; result: SignInResult }
  | { kind: 'second_factor'; step: SecondFactorStep }
  | { kind: 'confirmed'; token: string }
  | { kind: 'linked' }
  | { kind: 'refused'; reason: RefusalReason }
)

/** The browser that comes back: the query that the provider gave it, and the cookie of the beginning. */
export interface ProviderReturn {
  query: string
  browserToken: string | undefined
  userAgent: string
}

/**
 * Finishes what a browser began at the provider. What was begun is used up first, so that of several returns at once
 * one goes on. Refusals are returned, since they are pages.
 */
export async function finishAtProvider(
  ctx: Ctx,
  provider: OidcProvider,
  { query, browserToken, userAgent }: ProviderReturn,
): Promise<ProviderOutcome> {
  const { issuer } = requireOidc(ctx)
  const state = new URLSearchParams(query).get('state')
  if (!state || !browserToken) return { kind: 'refused', reason: 'flow_over', returnTo: '/' }
  const flow = await inTransaction(ctx, (tx) => redeemFlow(tx, { issuer, state, browserToken }))
  if (!flow) return { kind: 'refused', reason: 'flow_over', returnTo: '/' }
  try {
    const claims = await provider.redeem(query, deriveRequest(browserToken, state))
    return await inTransaction(ctx, (tx) => finishFlow(tx, ctx, flow, { claims, userAgent }))
  } catch (error) {
    const refusal = error instanceof ProviderError ? describeProblem(ctx, error) : error
    if (!(refusal instanceof ProviderRefusal)) throw error
    await inTransaction(ctx, (tx) => reportRefusal(tx, ctx, flow, refusal))
    return { kind: 'refused', reason: refusal.reason, returnTo: flow.returnTo }
  }
}

function describeProblem(ctx: Ctx, { problem, reason }: ProviderError): ProviderRefusal {
  ctx.log.warn({ problem, reason }, 'a sign-in failed at the provider')
  return new ProviderRefusal(problem, { reason })
}

async function reportRefusal(tx: Tx, ctx: Ctx, { purpose }: Flow, { reason, details }: ProviderRefusal): Promise<void> {
  const { severity, title } = refusalTexts[reason]
  if (!severity) return
  await raiseSecurityEvent(tx, ctx, {
    severity,
    type: reason === 'invalid' || reason === 'expired' ? 'provider_answer_refused' : 'provider_sign_in_refused',
    description: `A return from the sign-in provider was refused: ${title}`,
    details: { cause: reason, purpose, ...details },
  })
}

interface Proof {
  claims: ProviderClaims
  userAgent: string
}

async function finishFlow(tx: Tx, ctx: Ctx, flow: Flow, proof: Proof): Promise<ProviderOutcome> {
  const { claims } = proof
  const { returnTo } = flow
  // Two of them are always set together (oidc_flows_whole).
  const owner = { adminId: flow.adminId ?? '', sessionId: flow.sessionId ?? '' }
  switch (flow.purpose) {
    case 'step_up':
      return {
        kind: 'confirmed',
        returnTo,
        token: await confirmByProvider(tx, ctx, claims, { ...flow, ...owner, userAgent: proof.userAgent }),
      }
    case 'link':
      await linkByProvider(tx, ctx, claims, owner)
      return { kind: 'linked', returnTo }
    case 'invitation':
      return openAdmitted(tx, ctx, flow, proof, await admitByInvitation(tx, ctx, claims, flow.invitationHash!))
    case 'sign_in':
      return openAdmitted(tx, ctx, flow, proof, await admitByIdentity(tx, ctx, claims))
  }
}

/**
 * When the provider asked for credentials. Of who has just joined it is now, so that a second factor can be added;
 * where the provider does not say it, it is too long ago for a change that wants a recent sign-in.
 */
function readAuthenticatedAt({ authenticatedAt }: ProviderClaims, { isNew }: Admission): SQL | undefined {
  if (isNew) return undefined
  if (authenticatedAt === null) return sql`now() - make_interval(mins => ${stepUpMinutes})`
  return sql`least(now(), to_timestamp(${authenticatedAt}))`
}

/** Opens the session of who was admitted, or asks for the own second factor where the provider has proven none. */
async function openAdmitted(
  tx: Tx,
  ctx: Ctx,
  { returnTo, presentedHash, deviceHash }: Flow,
  { claims, userAgent }: Proof,
  admission: Admission,
): Promise<ProviderOutcome> {
  const [account] = await tx.select().from(admins).where(eq(admins.id, admission.id))
  if (!account) throw new ProviderRefusal('not_linked')
  const given: SignInSource = {
    userAgent,
    presentedToken: undefined,
    deviceToken: undefined,
    presentedHash: presentedHash ?? undefined,
    deviceHash: deviceHash ?? undefined,
  }
  const entry = { account, given, network: readNetwork(ctx.ipAddress ?? ''), methods: ['oidc' as const] }
  const { hasSecondFactor: providerFactor } = claims
  if (!providerFactor && (await hasFactor(tx, account.id))) {
    const askedHost = ctx.config.publicUrl.hostname
    return { kind: 'second_factor', returnTo, step: await beginSecondFactor(tx, ctx, { ...entry, askedHost }) }
  }
  const authenticatedAt = readAuthenticatedAt(claims, admission)
  const result = await completeSignIn(tx, ctx, { ...entry, authenticatedAt, providerFactor })
  return { kind: 'signed_in', returnTo, result }
}
