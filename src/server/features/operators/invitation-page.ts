import type { FastifyInstance, FastifyReply } from 'fastify'
import { invitationHours } from '#contract/operators.ts'
import { roleLabels, type Role } from '#contract/permissions.ts'
import type { Config } from '#server/core/config.ts'
import { html } from '#server/http/html.ts'
import { readPageStyles, renderServerPage, sendServerPage } from '#server/http/server-page.ts'
import { AppError } from '#server/lib/errors.ts'
import { acceptInvitation, findInvited, invitationPath } from './invitations.ts'

const title = 'Invitation'

interface InvitedOperator {
  username: string
  role: Role
}

async function sendForm(
  reply: FastifyReply,
  { oidc, isLocalSignInOpen }: Config,
  code: string,
  invited: InvitedOperator,
  problem?: string,
) {
  // With the policy of other replies a browser would send the form with the origin "null".
  reply.header('referrer-policy', 'strict-origin')
  const page = html`<main class="alone">
    <h1>${isLocalSignInOpen ? 'Set your password' : 'Accept your invitation'}</h1>
    <p class="lead">
      You are invited to this console as ${roleLabels[invited.role]}, with the name ${invited.username}.
    </p>
    ${oidc && renderProviderForm(code, oidc.name)}
    ${oidc && isLocalSignInOpen && html`<p class="lead">Or with a password:</p>`}
    ${isLocalSignInOpen && renderPasswordForm(invited, problem)}
    <p class="lead">The link works once. Looking at this page does not use it up.</p>
  </main>`
  return sendServerPage(reply, renderServerPage(title, await readPageStyles(), page), "'self'")
}

const renderProviderForm = (code: string, provider: string) =>
  html`<form method="post" action="${invitationPath}/${encodeURIComponent(code)}/provider">
    <button class="button">Accept with ${provider}</button>
  </form>`

function renderPasswordForm({ username }: InvitedOperator, problem: string | undefined) {
  const hint = problem ? 'problem hint' : 'hint'
  return html`<form method="post">
    <p>
      <label for="username">Username</label>
      <input id="username" name="username" autocomplete="username" readonly value="${username}" />
    </p>
    <p>
      <label for="password">Password</label>
      <input
        id="password"
        name="password"
        type="password"
        autocomplete="new-password"
        required
        maxlength="128"
        aria-describedby="${hint}"
        ${problem ? html`aria-invalid="true"` : undefined}
      />
    </p>
    <p>
      <label for="repeated">Password again</label>
      <input
        id="repeated"
        name="repeated"
        type="password"
        autocomplete="new-password"
        required
        maxlength="128"
        ${problem ? html`aria-describedby="problem" aria-invalid="true"` : undefined}
      />
    </p>
    ${problem ? html`<p class="problem" id="problem" role="alert">${problem}</p>` : undefined}
    <p id="hint">A password has 15 to 128 characters.</p>
    <button class="button">Set Password</button>
  </form>`
}

/** Not the sign-in form itself, which could not say whose name to sign in with. */
async function sendAccepted(reply: FastifyReply, { username, role }: InvitedOperator) {
  const page = html`<main class="alone">
    <h1>Your password is set</h1>
    <p class="lead">
      Sign in with the username ${username} and this password. You are ${roleLabels[role]} in this console, and it may
      ask you to add a second factor first.
    </p>
    <p><a class="button" href="/login">Sign in</a></p>
  </main>`
  return sendServerPage(reply, renderServerPage(title, await readPageStyles(), page))
}

async function sendExpired(reply: FastifyReply) {
  const page = html`<main class="alone">
    <h1>This link no longer works</h1>
    <p class="lead">
      It was used, a newer one was made, or its ${invitationHours} hours are over. The operator who invited you makes a
      new one under Operators.
    </p>
    <p><a class="button" href="/login">Sign in</a></p>
  </main>`
  return sendServerPage(reply.code(404), renderServerPage(title, await readPageStyles(), page))
}

/** The problem of what was typed, in a sentence. */
function describeProblem(error: unknown): string {
  if (!(error instanceof AppError) || error.code !== 'invalid') throw error
  return `${error.message.replace(/^password: /, 'The password ')}.`
}

/**
 * Pages, not calls of the contract, because people open the link. Mail scanners and chat previews open it too, so only
 * the button uses it up. Then a page says with which name to sign in.
 */
export function registerInvitationPage(app: FastifyInstance): void {
  const address = `${invitationPath}/:code`
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: 4096 },
      (_, body, done) => done(null, new URLSearchParams(String(body))),
    )
    scope.get<{ Params: { code: string } }>(address, async ({ ctx, params }, reply) => {
      const invited = await findInvited(ctx, params.code)
      return invited ? sendForm(reply, ctx.config, params.code, invited) : sendExpired(reply)
    })
    scope.post<{ Params: { code: string } }>(address, async ({ ctx, params, body }, reply) => {
      const invited = await findInvited(ctx, params.code)
      if (!invited) return sendExpired(reply)
      const given = body instanceof URLSearchParams ? body : new URLSearchParams()
      const password = given.get('password') ?? ''
      if (password !== given.get('repeated'))
        return sendForm(reply.code(400), ctx.config, params.code, invited, 'The two passwords are not the same.')
      try {
        const isAccepted = await acceptInvitation(ctx, params.code, password)
        return isAccepted ? sendAccepted(reply, invited) : sendExpired(reply)
      } catch (error) {
        return sendForm(reply.code(400), ctx.config, params.code, invited, describeProblem(error))
      }
    })
  })
}
