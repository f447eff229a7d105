import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readCookie } from './cookies.ts'
import { contextFor, type Services } from './context.ts'
import { AppError } from './errors.ts'
import { resumeSession } from './features/auth/sessions.ts'
import { authenticatePlatform } from './platform/keys.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])
export const sessionCookie = 'sid'

/**
 * Cross-site request refusal by what browsers say of a request's origin (docs/security.md): a state-changing request of
 * another site is 403; a client that sends neither header is no browser and carries no ambient cookie.
 */
function refuseCrossSite(request: FastifyRequest) {
  if (safeMethods.has(request.method)) return
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) {
    if (site === 'same-origin' || site === 'none') return
  } else {
    const { origin } = request.headers
    if (origin === undefined) return
    if (URL.canParse(origin) && new URL(origin).host === request.headers.host) return
  }
  throw new AppError('forbidden', 'Requests from another site are refused')
}

/** Settles who asks before any body is read: a session cookie, a platform key, or nobody on a public call. */
export function guard(app: FastifyInstance, services: Services): void {
  app.addHook('onRequest', async (request) => {
    const from = { ipAddress: request.ip, requestId: request.id }
    const { access, isPassive } = request.routeOptions.config
    if (access === 'platform') {
      request.ctx = contextFor(services, await authenticatePlatform(services, request), from)
      return
    }
    refuseCrossSite(request)
    if (access === 'public' || !request.routeOptions.url?.startsWith('/api/')) {
      request.ctx = contextFor(services, { kind: 'system', name: 'nobody' }, from)
      return
    }
    const token = readCookie(request, services.config, sessionCookie)
    const session = token ? await resumeSession(services.database, token, isPassive === true) : null
    if (!session) throw new AppError('unauthorized', 'Unauthorized')
    const { admin, sessionId } = session
    request.ctx = contextFor(services, { kind: 'admin', id: admin.id, name: admin.username, sessionId }, from)
    request.admin = admin
  })
}
