import type { FastifyInstance } from 'fastify'
import { openApiRoutes } from '#contract/openapi.ts'
import type { Config } from '#server/core/config.ts'
import { handleError } from '#server/http/error-handler.ts'
import { AppError } from '#server/lib/errors.ts'
import { mount } from '#server/http/mount.ts'
import { readPageStyles, sendServerPage, type PageStyles } from '#server/http/server-page.ts'
import { buildOpenApiDocument } from './document.ts'
import { renderReaderPage, renderSignInPage } from './reader.ts'

/** Serves the description of all calls, built with the first request. */
export function registerOpenApiRoutes(app: FastifyInstance): void {
  let built: { json: string; page: string } | undefined
  let looks: Promise<PageStyles> | undefined
  /** With PORT=0 the port is unknown until the server listens. */
  const readOrigin = ({ publicUrl }: Config) =>
    publicUrl.port === '0' && app.server.listening ? app.listeningOrigin : publicUrl.origin
  async function build(url: string) {
    const document = buildOpenApiDocument(url)
    built = { json: JSON.stringify(document), page: renderReaderPage(document, await (looks ??= readPageStyles())) }
    return built
  }

  void app.register(async (scope) => {
    // A browser without a session gets a page that leads to the sign-in.
    scope.setErrorHandler(async (error, request, reply) => {
      const isSignedOut = error instanceof AppError && error.code === 'unauthorized'
      const isPage = request.routeOptions.url === openApiRoutes.reader.path
      if (
        isSignedOut &&
        isPage &&
        request.headers.authorization === undefined &&
        request.headers.accept?.includes('text/html')
      ) {
        // A browser that follows a link of another site keeps the session's cookie back. From this page it sends it.
        if (request.headers['sec-fetch-site'] === 'cross-site') reply.header('refresh', '0')
        return sendServerPage(reply.code(401), renderSignInPage(await (looks ??= readPageStyles())))
      }
      return handleError(error as Parameters<typeof handleError>[0], request, reply)
    })
    mount(scope, openApiRoutes.document, async ({ config }, { reply }) => {
      const { json } = built ?? (await build(readOrigin(config)))
      return reply.type('application/json; charset=utf-8').send(json)
    })
    mount(scope, openApiRoutes.reader, async ({ config }, { reply }) => {
      const { page } = built ?? (await build(readOrigin(config)))
      return sendServerPage(reply, page)
    })
  })
}
