import type { FastifyInstance, FastifyReply } from 'fastify'
import { documentRoutes } from '#contract/documents.ts'
import { AppError } from '#server/errors.ts'
import { mount } from '#server/mount.ts'
import { issueDocumentToken, openDocument, readDocumentToken } from './service.ts'

const suggestion =
  'Close the viewer and open the document again. If that does not help, ask the user to upload it anew.'

/** Failures of the image call carry what the viewer shows (SPEC section 8). */
function sendFailure(reply: FastifyReply, { message, code, status }: AppError) {
  return reply.code(status).type('application/json; charset=utf-8').send({ message, suggestion, status, code })
}

export function documentsDoor(app: FastifyInstance): void {
  mount(app, documentRoutes.token, async (ctx, { body }) => ({ token: await issueDocumentToken(ctx, body) }))

  mount(app, documentRoutes.view, async (ctx, { params: { token } }) => {
    const { userId, documentPath } = await readDocumentToken(ctx, token)
    return { token, userId, documentPath }
  })

  mount(app, documentRoutes.proxy, async (ctx, { params, reply }) => {
    try {
      const { size, stream } = await openDocument(ctx, params.token)
      return await reply
        .type('image/jpeg')
        .header('content-length', size)
        .header('content-disposition', 'inline; filename="document.jpg"')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'no-store')
        .send(stream)
    } catch (error) {
      if (error instanceof AppError) return sendFailure(reply, error)
      throw error
    }
  })
}
