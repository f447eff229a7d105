import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { oidcRoutes } from '#contract/oidc.ts'
import { createOidcProvider } from '#server/adapters/oidc-provider.ts'
import type { Config } from '#server/core/config.ts'
import type { Ctx } from '#server/core/context.ts'
import { readSource } from '#server/features/auth/service.ts'
import { readAskedHost } from '#server/http/hosts.ts'
import { readCookie, setCookie } from '#server/http/cookies.ts'
import { mount } from '#server/http/mount.ts'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { beginInvitation, beginLink, beginSignIn, beginStepUp, type Browser, type ProviderStart } from './begin.ts'
import { flowCookie, flowSeconds } from './flows.ts'
import { registerInvitationStart } from './invitation-start.ts'
import { registerReturnPage } from './return-page.ts'

/** The browser that begins: its cookies tell its session and device, which it does not send on the way back. */
const readBrowser = (request: FastifyRequest): Browser => ({
  ...readSource(request.ctx, request),
  askedHost: readAskedHost(request, request.ctx.config),
  browserToken: readCookie(request, request.ctx.config, flowCookie),
})

/** Sets the cookie of what was begun, and returns where the browser goes. */
function sendStart(ctx: Ctx, reply: FastifyReply, { url, browserToken }: ProviderStart): { url: string } {
  // Strict would keep the cookie back when the provider's site leads here.
  setCookie(reply, ctx.config, flowCookie, browserToken, flowSeconds, 'lax')
  return { url }
}

/** The provider of the settings, if they name one. Its calls answer 404 otherwise. */
export function registerOidcRoutes(app: FastifyInstance, config: Config, refusals: RefusalTally): void {
  const provider = config.oidc ? createOidcProvider(config.oidc, config.publicUrl) : null

  mount(app, oidcRoutes.begin, async (ctx, { body, request, reply }) =>
    sendStart(ctx, reply, await beginSignIn(ctx, provider, readBrowser(request), body.returnTo)),
  )
  mount(app, oidcRoutes.beginStepUp, async (ctx, { request, reply }) =>
    sendStart(ctx, reply, await beginStepUp(ctx, provider, readBrowser(request))),
  )
  mount(app, oidcRoutes.beginLink, async (ctx, { request, reply }) =>
    sendStart(ctx, reply, await beginLink(ctx, provider, readBrowser(request))),
  )

  if (!provider) return
  registerReturnPage(app, provider, refusals)
  registerInvitationStart(app, async (request, reply, code) =>
    sendStart(request.ctx, reply, await beginInvitation(request.ctx, provider, readBrowser(request), code)),
  )
}
