import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { openApiRoutes } from '#contract/openapi.ts'
import { answerError } from '#server/error-handler.ts'
import { AppError } from '#server/errors.ts'
import { mount } from '#server/mount.ts'
import { webRoot } from '#server/pages.ts'
import { openApiDocument } from './document.ts'
import { readerPage, signInPage, type Looks } from './reader.ts'

/** Nothing but our own files, and of scripts only what sets the theme before the first paint. */
const readerPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

const sendPage = (reply: FastifyReply, page: string) =>
  reply.type('text/html; charset=utf-8').header('content-security-policy', readerPolicy).send(page)

/** The console's own stylesheets, whose names change with each build; none while the web app is not built. */
async function readLooks(): Promise<Looks> {
  const page = await readFile(join(webRoot, 'index.html'), 'utf8').catch(() => '')
  const links = page.matchAll(/<link [^>]*rel="stylesheet"[^>]*href="([^"]+)"/g)
  return { stylesheets: [...links].map(([, href]) => href ?? '') }
}

/** The description of all calls, made when it is asked for first. */
export function openApiDoor(app: FastifyInstance): void {
  let built: { json: string; page: string } | undefined
  let looks: Promise<Looks> | undefined
  async function build(url: string) {
    const document = openApiDocument(url)
    built = { json: JSON.stringify(document), page: readerPage(document, await (looks ??= readLooks())) }
    return built
  }

  void app.register(async (scope) => {
    // Whoever opens the page in a browser is told in words where to sign in.
    scope.setErrorHandler(async (error, request, reply) => {
      const isSignedOut = error instanceof AppError && error.code === 'unauthorized'
      const isPage = request.routeOptions.url === openApiRoutes.reader.path
      if (
        isSignedOut &&
        isPage &&
        request.headers.authorization === undefined &&
        request.headers.accept?.includes('text/html')
      )
        return sendPage(reply.code(401), signInPage(await (looks ??= readLooks())))
      return answerError(error as Parameters<typeof answerError>[0], request, reply)
    })
    mount(scope, openApiRoutes.document, async ({ config }, { reply }) => {
      const { json } = built ?? (await build(config.publicUrl.origin))
      return reply.type('application/json; charset=utf-8').send(json)
    })
    mount(scope, openApiRoutes.reader, async ({ config }, { reply }) => {
      const { page } = built ?? (await build(config.publicUrl.origin))
      return sendPage(reply, page)
    })
  })
}
