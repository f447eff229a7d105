import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import type { ImportedFile } from '#contract/schemas/bank.ts'
import type { Ctx } from '#server/core/context.ts'
import {
  importStatementFile,
  type ImportOptions,
  registerStatementUpload,
  type StatementFile,
} from '#server/features/bank/service.ts'
import { sha256 } from '#server/lib/hash.ts'
import { invalidField, AppError } from '#server/lib/errors.ts'
import { receiveResult, requireProvider } from '#server/features/kyc-results/service.ts'
import { mount } from '#server/http/mount.ts'
import type { RefusalTally } from '#server/http/refusal-tally.ts'
import { announceSoon } from './announce-soon.ts'
import { markRepeated, readIdempotencyKey, runOnce } from './idempotency.ts'
import { describeCall, recordCall } from './record-calls.ts'

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

/** The import of a statement file by the program that fetches it from the bank (product 10.6). */
export function registerStatementRoute(app: FastifyInstance): void {
  registerStatementUpload(app, platformRoutes.bankStatements, takeFile)
}

async function takeFile(
  ctx: Ctx,
  file: StatementFile,
  options: ImportOptions,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<ImportedFile> {
  if (options.isDryRun) return tryFile(ctx, file, options, request)
  const content = { query: request.query, sha256: sha256(file.bytes).toString('hex') }
  let isRepeated = false
  const imported = await importStatementFile(ctx, file, options, async (tx, importFile) => {
    const done = await runOnce(tx, ctx, request, importFile, content)
    isRepeated = done.isRepeated
    await recordCall(tx, ctx, describeCall(request), { outcome: isRepeated ? 'repeated' : 'created' })
    return done.reply
  })
  markRepeated(reply, isRepeated)
  announceSoon(ctx, ['logs'])
  return imported
}

/** Says what an import would answer. Its transaction stores nothing, so the audit row has its own. */
async function tryFile(ctx: Ctx, file: StatementFile, options: ImportOptions, request: FastifyRequest) {
  if (readIdempotencyKey(request) !== undefined)
    throw invalidField('Idempotency-Key', 'a dry run stores nothing that it could repeat; leave out one of the two')
  const answer = await importStatementFile(ctx, file, options)
  await recordCall(ctx.database.db, ctx, describeCall(request), { outcome: 'read' })
  announceSoon(ctx, ['logs'])
  return answer
}
