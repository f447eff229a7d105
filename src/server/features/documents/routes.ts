import type { FastifyInstance } from 'fastify'
import { documentRoutes } from '#contract/documents.ts'
import { mount } from '#server/http/mount.ts'
import { issueDocumentToken, openDocument, readDocumentToken } from './view-tokens.ts'

const suggestion =
  'Close the viewer and open the document again. If that does not help, ask the user to upload it again.'

/** The image call. Every failure has a suggestion for the viewer (product 8.5). */
async function registerImageRoute(app: FastifyInstance) {
  app.addHook('preSerialization', async (_request, reply, failure: object) => {
    return { ...failure, suggestion, status: reply.statusCode }
  })
  mount(app, documentRoutes.proxy, async (ctx, { params, reply }) => {
    const picture = await openDocument(ctx, params.token)
    return reply
      .type('image/jpeg')
      .header('content-length', picture.length)
      .header('content-disposition', 'inline; filename="document.jpg"')
      .header('content-security-policy', "default-src 'none'; sandbox")
      .send(picture)
  })
}

export function registerDocumentRoutes(app: FastifyInstance): void {
  mount(app, documentRoutes.token, async (ctx, { body }) => ({ token: await issueDocumentToken(ctx, body) }))

  mount(app, documentRoutes.view, async (ctx, { params: { token } }) => {
    const { userId, documentPath } = await readDocumentToken(ctx, token)
    return { token, userId, documentPath }
  })

  void app.register(registerImageRoute)
}
