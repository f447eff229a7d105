import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { randomUUID } from 'node:crypto'
import type { Admin } from '#contract/auth.ts'
import { answerClientError, refuseExpectation } from './client-errors.ts'
import type { Services } from './context.ts'
import { answerError } from './error-handler.ts'
import { AppError } from './errors.ts'
import { analyticsDoor } from './features/analytics/routes.ts'
import { authDoor } from './features/auth/routes.ts'
import { chainDoor } from './features/chain/routes.ts'
import { deliveriesDoor } from './features/deliveries/routes.ts'
import { documentsDoor } from './features/documents/routes.ts'
import { kycDoor } from './features/kyc/routes.ts'
import { webhooksDoor } from './features/webhooks/routes.ts'
import { noticesDoor } from './features/notices/routes.ts'
import { searchDoor } from './features/search/routes.ts'
import { exportsDoor } from './features/exports/routes.ts'
import { liveDoor } from './features/live/routes.ts'
import { ordersDoor } from './features/orders/routes.ts'
import { securityDoor } from './features/security/routes.ts'
import { tokensDoor } from './features/tokens/routes.ts'
import { transactionsDoor } from './features/transactions/routes.ts'
import { usersDoor } from './features/users/routes.ts'
import { walletsDoor } from './features/wallets/routes.ts'
import { guard } from './guards.ts'
import { headersOf } from './headers.ts'
import { healthDoor } from './health.ts'
import { platformDoor } from './platform/routes.ts'
import { openApiDoor } from './openapi/routes.ts'
import { pages } from './pages.ts'
import { compileReply } from './serialize.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The signed-in admin of a console call. */
    admin: Admin
  }
}

/** A body is UTF-8 JSON; one in another form is never guessed at. */
function takeOnlyUtf8Json(app: FastifyInstance) {
  app.removeContentTypeParser('text/plain')
  app.addHook('preParsing', async (request) => {
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new AppError('unsupported_media_type', 'The body must be in UTF-8')
  })
}

/** The console's server without a port: tests and main build the same one. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const headers = headersOf(services.config)
  const app = Fastify({
    loggerInstance: services.log,
    trustProxy: services.config.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 60_000,
    clientErrorHandler: answerClientError,
    // The router's own refusals come past every hook.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(headers)),
    // A missing Host is refused below, in our words.
    http: { requireHostHeader: false },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    return503OnClosing: false,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(compileReply)
  app.setErrorHandler(answerError)
  app.server.on('checkExpectation', refuseExpectation)
  takeOnlyUtf8Json(app)
  let isStopping = false
  app.addHook('preClose', async () => {
    isStopping = true
  })
  app.addHook('onRequest', async ({ raw }, reply) => {
    reply.headers(headers)
    if (isStopping) throw new AppError('overloaded', 'The console is restarting; try again', { retryAfter: 2 })
    if (raw.headers.host === undefined && raw.httpVersion === '1.1') throw new AppError('invalid', 'Host is missing')
  })
  await app.register(cookie)
  guard(app, services)
  healthDoor(app, services)
  authDoor(app)
  analyticsDoor(app)
  usersDoor(app)
  documentsDoor(app)
  walletsDoor(app)
  chainDoor(app)
  ordersDoor(app)
  tokensDoor(app)
  transactionsDoor(app)
  securityDoor(app)
  kycDoor(app)
  webhooksDoor(app)
  deliveriesDoor(app)
  noticesDoor(app)
  searchDoor(app)
  exportsDoor(app)
  liveDoor(app, services)
  platformDoor(app)
  openApiDoor(app)
  await pages(app, services)
  return app
}
