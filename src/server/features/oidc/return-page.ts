import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { providerReturnPath, secondStepHash } from '#contract/oidc.ts'
import type { OidcProvider } from '#server/adapters/oidc-provider.ts'
import {
  secondFactorCookie,
  secondFactorSeconds,
  setSessionCookie,
  startSession,
} from '#server/features/auth/service.ts'
import { readCookie, setCookie } from '#server/http/cookies.ts'
import { html, type Markup } from '#server/http/html.ts'
import type { RefusalKind, RefusalTally } from '#server/http/refusal-tally.ts'
import { readPageStyles, renderServerPage, sendServerPage } from '#server/http/server-page.ts'
import { readNetwork } from '#server/http/client-address.ts'
import { requireOidc } from './begin.ts'
import { finishAtProvider, type ProviderOutcome } from './finish.ts'
import { flowCookie } from './flows.ts'
import { refusalTexts, type RefusalReason } from './refusals.ts'

/** Nobody knows who asked: a second look at an old address, or somebody who brings a code of his own. */
const unknownReturn: RefusalKind = {
  type: 'provider_return_refused',
  severity: 'medium',
  description: 'A browser came back from the sign-in provider with what it did not begin',
  summary: (refused) => `${refused.toLocaleString('en')} returns from the sign-in provider were refused in a minute`,
  threshold: 3,
}

const sendPage = async (reply: FastifyReply, title: string, body: Markup) =>
  sendServerPage(reply, renderServerPage(title, await readPageStyles(), html`<main class="alone">${body}</main>`))

const closeText = html`<p class="lead">You can close this window and go on in the one before.</p>`

function sendRefusal(reply: FastifyReply, name: string, reason: RefusalReason, returnTo: string | null) {
  const { status, title, text } = refusalTexts[reason]
  const way = returnTo === null ? closeText : html`<p><a class="button" href="/login">Back to the sign-in</a></p>`
  return sendPage(
    reply.code(status),
    title,
    html`<h1>${title}</h1>
      <p class="lead">${text(name)}</p>
      ${way}`,
  )
}

/** What the other tabs of the browser hear, and where this one goes. */
function sendDone(reply: FastifyReply, title: string, message: string, next: string | null) {
  const way = next === null ? closeText : html`<p><a class="button" href="${next}">Go on</a></p>`
  const script = html`<script src="/provider-return.js" data-message="${message}" data-next="${next ?? ''}"></script>`
  return sendPage(
    reply,
    title,
    html`<h1>${title}</h1>
      ${way}${script}`,
  )
}

function sendOutcome(request: FastifyRequest, reply: FastifyReply, outcome: ProviderOutcome) {
  const { ctx } = request
  const { returnTo } = outcome
  switch (outcome.kind) {
    case 'refused':
      return sendRefusal(reply, requireOidc(ctx).name, outcome.reason, returnTo)
    case 'second_factor':
      setCookie(reply, ctx.config, secondFactorCookie, outcome.step.pendingToken, secondFactorSeconds)
      return sendDone(reply, 'One more step', '', `${returnTo ?? '/login'}${secondStepHash}`)
    case 'confirmed':
      setSessionCookie(reply, ctx.config, outcome.token)
      return sendDone(reply, 'Confirmed', 'confirmed', returnTo)
    case 'linked':
      return sendDone(reply, 'Linked', '', returnTo)
    case 'signed_in':
      startSession(ctx, reply, outcome.result)
      return sendDone(reply, 'Signed in', 'signed-in', returnTo)
  }
}

/**
 * A page, no call of the contract, because the provider sends people here. It moves on by a script, and not by a
 * redirect: the browser would not send the session's cookie at the end of a chain that another site began.
 */
export function registerReturnPage(app: FastifyInstance, provider: OidcProvider, refusals: RefusalTally): void {
  app.get(
    providerReturnPath,
    // HEAD would use up what was begun.
    { config: { access: 'public' }, exposeHeadRoute: false },
    async (request, reply) => {
      const { ctx } = request
      const outcome = await finishAtProvider(ctx, provider, {
        query: new URL(request.url, ctx.config.publicUrl).search,
        browserToken: readCookie(request, ctx.config, flowCookie),
        userAgent: request.headers['user-agent'] ?? '',
      })
      if (outcome.kind === 'refused' && outcome.reason === 'flow_over')
        refusals.count(unknownReturn, { name: readNetwork(ctx.ipAddress ?? ''), ipAddress: ctx.ipAddress })
      return sendOutcome(request, reply, outcome)
    },
  )
}
