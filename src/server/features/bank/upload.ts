import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { bankRoutes, statementFileLimits } from '#contract/bank.ts'
import { withPacedUpload } from '#server/http/client-errors.ts'
import { readEncoding } from '#server/http/headers.ts'
import { mount } from '#server/http/mount.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { limitPace, uploadPace } from '#server/lib/pace.ts'
import { importStatementFile } from './import.ts'
import { StatementTooLargeError } from './readers/limits.ts'

const route = bankRoutes.import
const overload = 'Too many statement files at once; try again in a moment'

// An upload holds its bytes. One file is read at a time, so that a large one takes no more than one core and one connection.
const limitUploads = createLimiter(4, 32, overload)
const limitImports = createLimiter(1, 32, overload)

const notFileError = () =>
  new AppError('unsupported_media_type', `The body must be one of ${route.consumes?.join(', ')}, not compressed`)
const tooLargeError = () => new AppError('too_large', new StatementTooLargeError().message)

/** The import of a statement file. In this scope only, a body arrives as a stream, and only as a file. */
export function registerStatementUpload(app: FastifyInstance): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser([...(route.consumes ?? [])], (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notFileError()))

    // Elsewhere an empty parameter counts as absent. Here `?dryRun` would then store everything.
    scope.addHook('preValidation', async ({ query }) => {
      if ((query as Record<string, unknown>)['dryRun'] === '') throw invalidField('dryRun', 'must not be empty')
    })

    mount(scope, route, async (ctx, { query, request, reply }) => {
      const { body } = request
      if (!(body instanceof Readable) || readEncoding(request.headers) !== 'identity') throw notFileError()
      if (Number(request.headers['content-length'] ?? 0) > statementFileLimits.bytes) throw tooLargeError()
      const chunks = limitPace(body.iterator({ destroyOnReturn: false }), ctx.uploadPace ?? uploadPace)
      const options = { accountId: query.accountId, isDryRun: query.dryRun === 'true' }
      try {
        return await withPacedUpload(request.raw.socket, () =>
          limitUploads(async () => {
            const bytes = await readWhole(chunks)
            return limitImports(() => importStatementFile(ctx, { fileName: query.fileName, bytes }, options))
          }),
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

/** Throws too_large as soon as too much has arrived, and invalid if the upload breaks off. */
async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > statementFileLimits.bytes) throw tooLargeError()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid', 'The upload broke off', { cause: error })
  }
  return Buffer.concat(chunks, size)
}
