import type { FastifyInstance, FastifyRequest } from 'fastify'
import { passiveHeader } from '#contract/live.ts'
import type { Config } from './config.ts'
import { readCookie } from './cookies.ts'
import { contextFor, type Services } from './context.ts'
import { AppError } from './errors.ts'
import { plainAddress } from './features/auth/network.ts'
import { resumeSession } from './features/auth/sessions.ts'
import { authenticatePlatform } from './platform/keys.ts'
import { rateLimits } from './platform/rate-limit.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
export const sessionCookie = 'sid'

/** Whether an `Origin` is this console: the host that was asked, or the public address when a proxy changed the host. */
function isOurs(origin: string, host: string | undefined, { publicUrl }: Config): boolean {
  if (origin === publicUrl.origin) return true
  // `null`, which sandboxed frames and local files send, is no URL.
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase()
}

/**
 * Cross-site request refusal by what browsers say of a request's origin (docs/security.md): a state-changing request of
 * another site is 403; a client that sends neither header is no browser and carries no ambient cookie.
 */
function refuseCrossSite(request: FastifyRequest, config: Config) {
  if (safeMethods.has(request.method)) return
  const { origin, host, 'sec-fetch-site': site } = request.headers
  if (
    site === undefined
      ? origin === undefined || isOurs(origin, host, config)
      : site === 'same-origin' || site === 'none'
  )
    return
  throw new AppError('forbidden', 'Requests from another site are refused')
}

/** Settles who asks before any body is read: a session cookie, a platform key, or nobody on a public call. */
export function guard(app: FastifyInstance, services: Services): void {
  const limits = rateLimits()
  app.addHook('onRequest', async (request, reply) => {
    const from = { ipAddress: plainAddress(request.ip), requestId: request.id }
    const { access, isPassive } = request.routeOptions.config
    if (access === 'platform' || (access === 'either' && request.headers.authorization !== undefined)) {
      request.ctx = contextFor(services, await authenticatePlatform(services, limits, request, reply), from)
      return
    }
    refuseCrossSite(request, services.config)
    if (access === 'public' || access === 'signed' || !request.routeOptions.url?.startsWith('/api/')) {
      request.ctx = contextFor(services, { kind: 'system', name: 'nobody' }, from)
      return
    }
    const token = readCookie(request, services.config, sessionCookie)
    const isActivity = !isPassive && request.headers[passiveHeader] === undefined
    const session = token ? await resumeSession(services.database, token, isActivity) : null
    if (!session) throw new AppError('unauthorized', 'Unauthorized')
    const { admin, sessionId } = session
    request.ctx = contextFor(services, { kind: 'admin', id: admin.id, name: admin.username, sessionId }, from)
    request.admin = admin
  })
}
