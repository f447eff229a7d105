import type { FastifyInstance, FastifyReply } from 'fastify'
import { readCookie, setCookie } from '#server/http/cookies.ts'
import { html } from '#server/http/html.ts'
import { readPageStyles, sendServerPage, renderServerPage } from '#server/http/server-page.ts'
import { deviceCookie, deviceMaxAgeSeconds } from './devices.ts'
import { isSignInLinkOpen, linkMinutes, linkPath, redeemSignInLink } from './sign-in-link.ts'

const title = 'Sign-in link'

async function sendConfirmation(reply: FastifyReply) {
  // With the policy of other replies a browser would send the form with the origin "null".
  reply.header('referrer-policy', 'strict-origin')
  const page = html`<main class="alone">
    <h1>Sign in with this browser</h1>
    <p class="lead">
      Continue makes this browser known to the console: sign-in with the password is then open to it, even while the
      account is closed to others.
    </p>
    <form method="post"><button class="button">Continue</button></form>
    <p class="lead">The link works once. Looking at this page does not use it up.</p>
  </main>`
  return sendServerPage(reply, renderServerPage(title, await readPageStyles(), page), "'self'")
}

async function sendLinkExpired(reply: FastifyReply) {
  const page = html`<main class="alone">
    <h1>This link no longer works</h1>
    <p class="lead">
      It was used, a newer one was made, or its ${linkMinutes} minutes are over. On the console’s machine make a new
      one:
    </p>
    <pre>npm run admin -- sign-in-link &lt;username&gt;</pre>
    <p><a class="button" href="/login">Sign in</a></p>
  </main>`
  return sendServerPage(reply.code(404), renderServerPage(title, await readPageStyles(), page))
}

/**
 * Pages, not calls of the contract, because people open the link. Mail scanners and chat previews open it too, so only
 * the button uses it up. Then the page leads to the sign-in.
 */
export function registerSignInLinkPage(app: FastifyInstance): void {
  const address = `${linkPath}/:code`
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 1024 },
      (_, __, done) => done(null),
    )
    scope.get<{ Params: { code: string } }>(address, async ({ ctx, params }, reply) =>
      (await isSignInLinkOpen(ctx, params.code)) ? sendConfirmation(reply) : sendLinkExpired(reply),
    )
    scope.post<{ Params: { code: string } }>(address, async (request, reply) => {
      const { ctx, params } = request
      const deviceToken = await redeemSignInLink(ctx, params.code, readCookie(request, ctx.config, deviceCookie))
      if (deviceToken === null) return sendLinkExpired(reply)
      setCookie(reply, ctx.config, deviceCookie, deviceToken, deviceMaxAgeSeconds)
      return reply.redirect('/login', 303)
    })
  })
}
