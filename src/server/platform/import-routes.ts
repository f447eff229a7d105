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
    // A room of its own: here alone a body comes as a stream, of any size, and nothing else is taken.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notNdjsonError()))

    // Elsewhere what is empty counts as absent; here `?dryRun` would store everything.
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
        // What has not come by then may never come: nothing else can follow on this connection.
        if (error instanceof AppError && error.code === 'timeout') reply.header('connection', 'close')
        throw error
      } finally {
        // Whatever is still on its way is let go, so that the answer gets through and the connection can go on.
        body.resume()
      }
    })
  })
}

const notNdjsonError = () =>
  new AppError('unsupported_media_type', 'The body must be application/x-ndjson, plain or with Content-Encoding: gzip')

/** How the body is read. It must outlive its reader: it is the connection that the answer goes out on. */
function chooseUnpacker({ headers }: FastifyRequest): (body: Readable) => AsyncIterable<Buffer> {
  const encoding = readEncoding(headers)
  if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipStream
  if (encoding !== 'identity') throw notNdjsonError()
  return (body) => body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>
}

/** The batch's id, which an `Idempotency-Key` is another name for. */
function readBatchId(batch: string | undefined, isDryRun: boolean, request: FastifyRequest): string | undefined {
  const key = readIdempotencyKey(request)
  if (key !== undefined && batch !== undefined && key !== batch)
    throw invalidField('Idempotency-Key', 'must be the same as batch where both are given')
  if (key !== undefined && batch === undefined && isDryRun)
    throw invalidField('Idempotency-Key', 'a dry run stores nothing that it could go on from; leave out one of the two')
  return batch ?? key
}
