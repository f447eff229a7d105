import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { ImportQuery } from '#contract/schemas/platform-api.ts'
import { withPacedUpload } from '#server/http/client-errors.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { readEncoding } from '#server/http/headers.ts'
import { mount } from '#server/http/mount.ts'
import { readIdempotencyKey } from './idempotency.ts'
import { gunzipStream } from './import-gzip.ts'
import { importPace, limitPace } from '#server/lib/pace.ts'
import { importStream } from './import.ts'

export function registerImportRoute(app: FastifyInstance): void {
  void app.register(async (scope) => {
    // In this scope only, a body of any size arrives as a stream, and no other type is accepted.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notNdjsonError()))

    // Elsewhere an empty parameter counts as absent. Here `?dryRun` would then store everything.
    scope.addHook('preValidation', async ({ query }) => {
      for (const [name, value] of Object.entries(Object(query) as Record<string, unknown>))
        if (value === '' && Object.hasOwn(ImportQuery.shape, name)) throw invalidField(name, 'must not be empty')
    })

    mount(scope, platformRoutes.import, async (ctx, { query, request, reply }) => {
      const { body } = request
      if (!(body instanceof Readable)) throw notNdjsonError()
      const unpack = chooseUnpacker(request)
      const isDryRun = query.dryRun === 'true'
      const options = { batch: readBatchId(query.batch, isDryRun, request), isDryRun }
      try {
        return await withPacedUpload(request.raw.socket, () =>
          importStream(ctx, limitPace(unpack(body), ctx.importPace ?? importPace), options),
        )
      } catch (error) {
        // The rest of the body may never arrive, so the connection cannot be used again.
        if (error instanceof AppError && error.code === 'timeout') reply.header('connection', 'close')
        throw error
      } finally {
        // Reads and discards the rest, so that the answer gets through and the connection can be used again.
        body.resume()
      }
    })
  })
}

const notNdjsonError = () =>
  new AppError('unsupported_media_type', 'The body must be application/x-ndjson, plain or with Content-Encoding: gzip')

/** Chooses how to read the body. The connection must stay open for the answer. */
function chooseUnpacker({ headers }: FastifyRequest): (body: Readable) => AsyncIterable<Buffer> {
  const encoding = readEncoding(headers)
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipStream
  if (encoding !== 'identity') throw notNdjsonError()
  return (body) => body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** The batch's id, also under the name `Idempotency-Key`. */
function readBatchId(batch: string | undefined, isDryRun: boolean, request: FastifyRequest): string | undefined {
  const key = readIdempotencyKey(request)
  if (key !== undefined && batch !== undefined && key !== batch)
    throw invalidField('Idempotency-Key', 'must be the same as batch where both are given')
  if (key !== undefined && batch === undefined && isDryRun)
    throw invalidField('Idempotency-Key', 'a dry run stores nothing that it could go on from; leave out one of the two')
  return batch ?? key
}
