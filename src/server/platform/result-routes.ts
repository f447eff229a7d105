import type { FastifyInstance } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { AppError } from '#server/lib/errors.ts'
import { receiveResult, requireProvider } from '#server/features/kyc-results/service.ts'
import { mount } from '#server/http/mount.ts'
import type { RefusalTally } from '#server/http/refusal-tally.ts'

export function registerResultRoute(app: FastifyInstance, refusals: RefusalTally): void {
  void app.register(async (scope) => {
    scope.addHook('onRequest', async ({ ctx }) => requireProvider(ctx, refusals))
    // In this scope a body stays raw bytes, because the signature covers them.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/json', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    scope.addContentTypeParser('*', (_request, _payload, done) =>
      done(new AppError('unsupported_media_type', 'The body must be application/json')),
    )

    mount(scope, platformRoutes.kycResults, async (ctx, { request: { headers, body } }) =>
      receiveResult(ctx, refusals, { headers, body: Buffer.isBuffer(body) ? body : Buffer.alloc(0) }),
    )
  })
}
