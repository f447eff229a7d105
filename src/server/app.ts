import cookie from '@fastify/cookie'
import Fastify, { type FastifyInstance } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { createRawRefusals } from './http/client-errors.ts'
import type { Services } from './core/context.ts'
import { handleError } from './http/error-handler.ts'
import { AppError, invalidField } from './lib/errors.ts'
import type { PendingSignIn } from './features/auth/service.ts'
import { registerApprovalRoutes } from './features/approvals/routes.ts'
import { ApprovableCalls } from './features/approvals/service.ts'
import { registerAnalyticsRoutes } from './features/analytics/routes.ts'
import { registerAccountRoutes } from './features/auth/account-routes.ts'
import { registerAuthRoutes } from './features/auth/routes.ts'
import { registerBankRoutes } from './features/bank/routes.ts'
import { registerAllocationRoutes } from './features/bank/allocation-routes.ts'
import { registerBulkRoutes } from './features/bulk/routes.ts'
import { registerChainRoutes } from './features/chain/routes.ts'
import { registerMessageRoutes, registerEndpointRoutes } from './features/messages/routes.ts'
import { registerDocumentRoutes } from './features/documents/routes.ts'
import { registerKycRoutes } from './features/kyc/routes.ts'
import { registerKycWebhookRoutes } from './features/kyc-webhooks/routes.ts'
import { registerNoteRoutes } from './features/notes/routes.ts'
import { registerAlertRoutes } from './features/alerts/routes.ts'
import { registerTemplateRoutes } from './features/reason-templates/routes.ts'
import { registerViewRoutes } from './features/views/routes.ts'
import { registerNoticeRoutes } from './features/notices/routes.ts'
import { registerSearchRoutes } from './features/search/routes.ts'
import { registerFactorRoutes } from './features/auth/factors/routes.ts'
import { registerExportRoutes } from './features/exports/routes.ts'
import { registerLiveRoute } from './features/live/routes.ts'
import { registerOidcRoutes } from './features/oidc/routes.ts'
import { registerOperatorRoutes } from './features/operators/routes.ts'
import { registerOrderRoutes } from './features/orders/routes.ts'
import { registerSecurityRoutes } from './features/security/routes.ts'
import { registerActivityRoutes } from './features/activity/routes.ts'
import { registerPeekRoutes } from './features/peek/routes.ts'
import { registerTokenRoutes } from './features/tokens/routes.ts'
import { registerTransactionRoutes } from './features/transactions/routes.ts'
import { registerTreasuryRoutes } from './features/treasury/routes.ts'
import { registerMemberRoutes } from './features/members/routes.ts'
import { registerWalletRoutes } from './features/wallets/routes.ts'
import { registerGuards } from './http/guards.ts'
import { readEncoding, buildHeaders, requestIdHeader } from './http/headers.ts'
import { registerHealthRoutes } from './http/health.ts'
import { createHostCheck } from './http/hosts.ts'
import { registerPlatformRoutes } from './platform/routes.ts'
import { registerOpenApiRoutes } from './openapi/routes.ts'
import { registerPages } from './http/pages.ts'
import { DataAccessLog } from './http/data-access-log.ts'
import { RefusalTally } from './http/refusal-tally.ts'
import { findReservedName, hasDuplicateName } from './lib/json.ts'
import { collectMethods } from './http/known-methods.ts'
import { compileReply } from './http/mount.ts'
import { countRequests } from './metrics/metrics.ts'
import { GracefulStop } from './process/graceful-stop.ts'
import { readWebBuild } from './http/html.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The sign-in that waits for a second factor, of a call that completes it. */
    pendingSignIn: PendingSignIn
  }
  interface FastifyInstance {
    /** Takes the server out of service and closes its port. Then `close` ends it. */
    drain(): Promise<void>
  }
}

const compressedJson =
  'JSON is taken uncompressed, without Content-Encoding; only an import (application/x-ndjson) may come as gzip'

/** Requires bodies in UTF-8 JSON. Never guesses the encoding or stores replacement characters. */
function requireUtf8Json(app: FastifyInstance) {
  app.removeAllContentTypeParsers()
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    // A call without fields may still declare JSON. A call that needs fields refuses the empty body.
    if (body.length === 0) return done(null)
    if (!isUtf8(body)) return done(new AppError('invalid', 'The body is not valid UTF-8'))
    const text = body.toString()
    void parseJson(request, text, (error, parsed) => {
      const reserved = error && findReservedName(text)
      if (reserved) done(invalidField(reserved, 'is not known here'))
      else if (error === null && hasDuplicateName(text, parsed))
        done(new AppError('invalid', 'The body gives a field twice'))
      else done(error, parsed)
    })
  })
  app.addHook('preParsing', async (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return
    const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(request.headers['content-type'] ?? '')?.[1]
    if (charset !== undefined && !/^utf-?8$/i.test(charset))
      throw new AppError('unsupported_media_type', 'The body must be in UTF-8')
    const isJson = /^\s*application\/json\b/i.test(request.headers['content-type'] ?? '')
    if (isJson && readEncoding(request.headers) !== 'identity') {
      reply.header('accept-encoding', 'identity')
      throw new AppError('unsupported_media_type', compressedJson)
    }
  })
}

/** Lets the page answer where its address can't be decoded, which the router would refuse as JSON. */
function rewriteMalformedPage({ method, url = '/', headers }: IncomingMessage): string {
  const path = url.replace(/[?#].*$/s, '')
  if (method !== 'GET' || path.startsWith('/api/') || !headers.accept?.includes('text/html')) return url
  try {
    return decodeURI(path) && url
  } catch {
    return '/malformed'
  }
}

/** Builds the server without a port, the same for tests and main. */
export async function buildApp(services: Services): Promise<FastifyInstance> {
  const headers = buildHeaders(services.config)
  const { answerClientError, refuseExpectation } = createRawRefusals(headers, services.log)
  const build = await readWebBuild()
  const app = Fastify({
    loggerInstance: services.log,
    trustProxy: services.config.trustProxy,
    genReqId: () => randomUUID(),
    bodyLimit: 64 * 1024,
    requestTimeout: 60_000,
    clientErrorHandler: answerClientError,
    // Refusals of the router bypass all hooks.
    frameworkErrors: (error, request, reply) =>
      void handleError(error, request, reply.headers({ ...headers, [requestIdHeader]: request.id })),
    rewriteUrl: rewriteMalformedPage,
    // A missing Host is refused below, with our own message.
    http: { requireHostHeader: false },
    connectionTimeout: 0,
    keepAliveTimeout: 72_000,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 300 },
    forceCloseConnections: true,
    return503OnClosing: false,
    // A stop has its own limits of time. By default Fastify would cut all connections off after 10 seconds.
    pluginTimeout: 0,
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(compileReply)
  app.setErrorHandler(handleError)
  app.server.on('checkExpectation', refuseExpectation)
  requireUtf8Json(app)
  const stop = new GracefulStop(app, services.config.drainSeconds)
  app.decorate('drain', () => stop.drain())
  const requireOwnHost = createHostCheck(services.config)
  const methodsOf = collectMethods(app)
  app.addHook('onRequest', async ({ id, raw }, reply) => {
    reply.headers({ ...headers, [requestIdHeader]: id })
    requireOwnHost(raw)
  })
  await app.register(cookie)
  countRequests(app, services.metrics)
  const refusals = new RefusalTally(services)
  app.addHook('onClose', () => refusals.close())
  const dataAccess = new DataAccessLog(services, refusals)
  app.decorate('dataAccess', dataAccess)
  app.addHook('onClose', () => dataAccess.close())
  app.decorate('approvables', new ApprovableCalls())
  registerGuards(app, services, refusals)
  registerCalls(app, services, { refusals, isStopping: () => stop.isStopping, buildId: build?.id })
  await registerPages(app, services, { build, methodsOf })
  stop.waitForConnections()
  return app
}

interface RouteDependencies {
  refusals: RefusalTally
  isStopping: () => boolean
  buildId: string | undefined
}

function registerCalls(
  app: FastifyInstance,
  services: Services,
  { refusals, isStopping, buildId }: RouteDependencies,
): void {
  registerHealthRoutes(app, services, isStopping)
  registerAuthRoutes(app)
  registerOidcRoutes(app, services.config, refusals)
  registerFactorRoutes(app)
  registerAccountRoutes(app)
  registerAnalyticsRoutes(app)
  registerMemberRoutes(app)
  registerDocumentRoutes(app)
  registerWalletRoutes(app)
  registerChainRoutes(app)
  registerOrderRoutes(app)
  registerActivityRoutes(app)
  registerPeekRoutes(app)
  registerNoteRoutes(app)
  registerTemplateRoutes(app)
  registerViewRoutes(app)
  registerBankRoutes(app)
  registerAllocationRoutes(app)
  registerTokenRoutes(app)
  registerTransactionRoutes(app)
  registerTreasuryRoutes(app)
  registerSecurityRoutes(app)
  registerKycRoutes(app)
  registerKycWebhookRoutes(app)
  registerMessageRoutes(app)
  registerEndpointRoutes(app)
  registerOperatorRoutes(app)
  registerApprovalRoutes(app)
  registerBulkRoutes(app)
  registerAlertRoutes(app)
  registerNoticeRoutes(app)
  registerSearchRoutes(app)
  registerExportRoutes(app)
  registerLiveRoute(app, services, buildId)
  registerPlatformRoutes(app, refusals)
  registerOpenApiRoutes(app)
}
