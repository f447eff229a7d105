import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { Admin } from '#contract/auth.ts'
import { answerClientError } from './client-errors.ts'
import type { Services } from './context.ts'
import { handleErrors } from './error-handler.ts'
import { analyticsDoor } from './features/analytics/routes.ts'
import { authDoor } from './features/auth/routes.ts'
import { documentsDoor } from './features/documents/routes.ts'
import { liveDoor } from './features/live/routes.ts'
import { securityDoor } from './features/security/routes.ts'
import { transactionsDoor } from './features/transactions/routes.ts'
import { usersDoor } from './features/users/routes.ts'
import { walletsDoor } from './features/wallets/routes.ts'
import { guard } from './guards.ts'
import { healthDoor } from './health.ts'
import { platformDoor } from './platform/routes.ts'
import { pages } from './pages.ts'
import { compileReply } from './serialize.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in admin of a console call. */
    admin: Admin
  }
}

z.config(z.locales.en())

/** The console's server without a port: tests and main build the same one. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const { config } = services
  const app = Fastify({
    loggerInstance: services.log,
    trustProxy: config.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 60_000,
    clientErrorHandler: answerClientError,
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    exposeHeadRoutes: false,
    return503OnClosing: true,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(compileReply)
  handleErrors(app)
  await app.register(cookie)
  await app.register(helmet, {
    // Pages set their own policy with a nonce; everything else loads nothing.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: config.isHttps && { maxAge: 63_072_000, includeSubDomains: true },
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  })
  guard(app, services)
  healthDoor(app, services)
  authDoor(app)
  analyticsDoor(app)
  usersDoor(app)
  documentsDoor(app)
  walletsDoor(app)
  transactionsDoor(app)
  securityDoor(app)
  liveDoor(app, services)
  platformDoor(app)
  await pages(app, services)
  return app
}
