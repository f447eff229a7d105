import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { invitationPath } from '#server/features/operators/service.ts'
import { html } from '#server/http/html.ts'
import { readPageStyles, renderServerPage, sendServerPage } from '#server/http/server-page.ts'
import { requireOidc } from './begin.ts'

const title = 'Invitation'

/** Begins to accept an invitation, and sets the cookie of it. */
type InvitationStart = (request: FastifyRequest, reply: FastifyReply, code: string) => Promise<{ url: string }>

/**
 * Where the button of an invitation leads that is accepted with the provider. The page moves on by a header and a link:
 * the policy that lets forms lead to the console alone holds for their redirects too.
 */
export function registerInvitationStart(app: FastifyInstance, start: InvitationStart): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: 1024 },
      (_, __, done) => done(null),
    )
    scope.post<{ Params: { code: string } }>(`${invitationPath}/:code/provider`, async (request, reply) => {
      const { url } = await start(request, reply, request.params.code)
      const page = html`<main class="alone">
        <h1>Sign in with ${requireOidc(request.ctx).name}</h1>
        <p><a class="button" href="${url}">Continue</a></p>
      </main>`
      reply.header('refresh', `0; url=${url}`)
      return sendServerPage(reply, renderServerPage(title, await readPageStyles(), page))
    })
  })
}
