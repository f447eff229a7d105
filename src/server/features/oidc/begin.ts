import { ProviderError, type OidcProvider } from '#server/adapters/oidc-provider.ts'
import type { OidcSettings } from '#server/core/config.ts'
import { adminOf, inTransaction, type Ctx } from '#server/core/context.ts'
import { countProviderSignIn, type SignInSource } from '#server/features/auth/service.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'
import { openFlow, type NewFlow } from './flows.ts'

/** The browser that begins, the host name that it shows, and the cookie of what it began before. */
export interface Browser extends SignInSource {
  askedHost: string
  browserToken: string | undefined
}

/** Where the browser goes, and the cookie that it brings back. */
export interface ProviderStart {
  url: string
  browserToken: string
}

/** What is begun, without what every flow has. */
type Begun = Pick<NewFlow, 'purpose' | 'adminId' | 'sessionId' | 'invitationHash' | 'returnTo'>

/** Throws not_found where the settings name no provider. */
export function requireOidc({ config }: Ctx): OidcSettings {
  if (!config.oidc) throw notFound('Sign-in provider')
  return config.oidc
}

/** The provider sends the browser back to PUBLIC_URL, where a cookie of another host name is not sent. */
function requirePublicHost({ config: { publicUrl } }: Ctx, askedHost: string): void {
  if (askedHost.toLowerCase() === publicUrl.hostname.replace(/^\[|\]$/g, '')) return
  throw new AppError('provider_unavailable', `The provider leads back to ${publicUrl.origin}: open the console there`)
}

/**
 * Begins a flow at the provider. Throws not_found without a provider, provider_unavailable, and too_many_requests from
 * 30 a minute on of one network.
 */
async function begin(ctx: Ctx, provider: OidcProvider | null, browser: Browser, begun: Begun): Promise<ProviderStart> {
  const { issuer, name } = requireOidc(ctx)
  if (!provider) throw notFound('Sign-in provider')
  requirePublicHost(ctx, browser.askedHost)
  const { presentedToken, deviceToken } = browser
  const { request, browserToken } = await inTransaction(ctx, async (tx) => {
    await countProviderSignIn(tx, readNetwork(ctx.ipAddress ?? ''))
    return openFlow(tx, browser.browserToken, {
      ...begun,
      issuer,
      presentedHash: presentedToken ? sha256(presentedToken) : undefined,
      deviceHash: deviceToken ? sha256(deviceToken) : undefined,
    })
  })
  try {
    return { url: await provider.buildSignInUrl(request, begun.purpose === 'step_up'), browserToken }
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    ctx.log.warn({ problem: error.problem, reason: error.reason }, 'a sign-in could not begin at the provider')
    throw new AppError('provider_unavailable', `Sign-in with ${name} can’t be reached now. Try again in a moment.`)
  }
}

export const beginSignIn = (
  ctx: Ctx,
  provider: OidcProvider | null,
  browser: Browser,
  returnTo: string | undefined,
): Promise<ProviderStart> => begin(ctx, provider, browser, { purpose: 'sign_in', returnTo })

/** Begins to accept an invitation with the provider. The invitation is used when the browser is back. */
export const beginInvitation = (
  ctx: Ctx,
  provider: OidcProvider | null,
  browser: Browser,
  code: string,
): Promise<ProviderStart> =>
  begin(ctx, provider, browser, { purpose: 'invitation', invitationHash: sha256(code), returnTo: '/' })

/** Begins to renew the authentication of this session. */
export function beginStepUp(ctx: Ctx, provider: OidcProvider | null, browser: Browser): Promise<ProviderStart> {
  const { id: adminId, sessionId } = adminOf(ctx)
  return begin(ctx, provider, browser, { purpose: 'step_up', adminId, sessionId })
}

/** Begins to link the own account to the provider. */
export function beginLink(ctx: Ctx, provider: OidcProvider | null, browser: Browser): Promise<ProviderStart> {
  const { id: adminId, sessionId } = adminOf(ctx)
  return begin(ctx, provider, browser, { purpose: 'link', adminId, sessionId, returnTo: '/account' })
}
