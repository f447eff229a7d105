import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { randomBytes } from 'node:crypto'
import { join, sep } from 'node:path'
import type { Services } from '#server/core/context.ts'
import { AppError } from '#server/lib/errors.ts'
import { holdsDemoData } from '#server/core/stored-settings.ts'
import { webRoot, type WebBuild } from './html.ts'

const assets = join(webRoot, 'assets') + sep

/** docs/security.md: no inline script, inline style only with this reply's nonce, nothing from other hosts. */
const buildPagePolicy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src-elem 'self' 'nonce-${nonce}'`,
    "style-src-attr 'none'",
    "img-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')

const escapeHtml = (value: string) =>
  value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The path as the router reads it: without the host of an absolute URL, and decoded (`/%61pi` is `/api`). */
const readPath = (url: string) =>
  decodeURIComponent(url.replace(/^https?:\/\/[^/?]*/i, '').replace(/[?#].*$/s, '')) || '/'

async function serveFiles(scope: FastifyInstance) {
  // The library adds a charset only to text. SVG is XML and could be read in another one.
  scope.addHook('onSend', async (_request, reply) => {
    if (reply.getHeader('content-type') === 'image/svg+xml') reply.type('image/svg+xml; charset=utf-8')
  })
  await scope.register(fastifyStatic, {
    root: webRoot,
    index: false,
    wildcard: false,
    preCompressed: true,
    // A template. The handler of unknown paths sends it.
    globIgnore: ['index.html*'],
    cacheControl: false,
    setHeaders: (reply, path) => {
      reply.header('cache-control', path.startsWith(assets) ? 'public, max-age=31536000, immutable' : 'no-cache')
    },
  })
}

interface PageOptions {
  build: WebBuild | null
  /** The methods of an address. */
  methodsOf: (url: string) => string[]
}

/** Serves the built web app: hashed assets with a long cache, and the page on every path that is not a call. */
export async function registerPages(
  app: FastifyInstance,
  services: Services,
  { build, methodsOf }: PageOptions,
): Promise<void> {
  if (build) await app.register(serveFiles)

  async function sendPage(reply: FastifyReply) {
    if (!build) throw new AppError('not_found', 'The web app is not built: npm run build')
    const nonce = randomBytes(16).toString('base64')
    const { explorerUrl, oidc, isLocalSignInOpen } = services.config
    // Cached since the start. While the database is away the page still loads and reports it.
    const demo = await holdsDemoData(services.database).catch(() => false)
    const about = JSON.stringify({
      demo,
      explorerUrl,
      build: build.id,
      provider: oidc?.name ?? null,
      localSignIn: isLocalSignInOpen,
    })
    return reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', buildPagePolicy(nonce))
      .send(build.template.replaceAll('__CSP_NONCE__', nonce).replaceAll('__CONSOLE__', escapeHtml(about)))
  }

  app.setNotFoundHandler(async (request, reply) => {
    const methods = methodsOf(request.url)
    if (methods.length > 0 && !methods.includes(request.method)) {
      reply.header('allow', methods.join(', '))
      throw new AppError('method_not_allowed', `This address answers ${methods.join(', ')} alone`)
    }
    const path = readPath(request.url)
    // A program may double a slash of its base address, or write it in capitals.
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !/^\/+api(\/|$)/i.test(path)
    const looksLikeFile = /\.[a-z0-9]{1,8}$/i.test(path) || path.startsWith('/assets/')
    if (!isPage || (looksLikeFile && !request.headers.accept?.includes('text/html')))
      throw new AppError('not_found', 'No such address')
    return sendPage(reply)
  })
}
