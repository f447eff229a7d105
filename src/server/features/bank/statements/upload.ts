import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import { statementFileLimits } from '#contract/bank.ts'
import type { Route } from '#contract/route.ts'
import { csvLayoutSchema, csvProfileSchema, type CsvLayout, type CsvProfile } from '#contract/schemas/csv-profile.ts'
import type { BankImportQuery } from '#contract/schemas/bank-queries.ts'
import type { ImportedFile } from '#contract/schemas/bank.ts'
import type { Ctx } from '#server/core/context.ts'
import { withPacedUpload } from '#server/http/client-errors.ts'
import { readEncoding } from '#server/http/headers.ts'
import { mount } from '#server/http/mount.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { limitPace, uploadPace } from '#server/lib/pace.ts'
import type { ImportOptions, StatementFile } from './import.ts'
import { parseRows } from './known-rows.ts'
import { StatementTooLargeError } from './readers/limits.ts'

/** A call that takes a statement file: the console's and the platform's. */
type UploadRoute = Route<undefined, typeof BankImportQuery, undefined, typeof ImportedFile>

/** The outcome of an uploaded file. */
type TakeFile = (
  ctx: Ctx,
  file: StatementFile,
  options: ImportOptions,
  request: FastifyRequest,
  reply: FastifyReply,
) => Promise<ImportedFile>

const overload = 'Too many statement files at once; try again in a moment'

// An upload holds its bytes. One file is read at a time, so that a large one takes no more than one core and one connection.
const limitUploads = createLimiter(4, 32, overload)
const limitImports = createLimiter(1, 32, overload)

const notFileError = ({ consumes }: UploadRoute) =>
  new AppError('unsupported_media_type', `The body must be one of ${consumes?.join(', ')}, not compressed`)
const tooLargeError = () => new AppError('too_large', new StatementTooLargeError().message)

/** Throws invalid where the text is neither a profile nor a layout. */
function parseForm(text: string | undefined): CsvProfile | CsvLayout | undefined {
  if (text === undefined) return undefined
  try {
    return z.parse(z.union([csvLayoutSchema, csvProfileSchema]), JSON.parse(text))
  } catch {
    throw invalidField('csvProfile', 'must be the columns of a CSV file as JSON')
  }
}

/** A call with a statement file. In this scope only, a body arrives as a stream, and only as a file. */
export function registerStatementUpload(app: FastifyInstance, route: UploadRoute, takeFile: TakeFile): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser([...(route.consumes ?? [])], (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notFileError(route)))

    // Elsewhere an empty parameter counts as absent. Here `?dryRun` would then store everything.
    scope.addHook('preValidation', async ({ query }) => {
      if ((query as Record<string, unknown>)['dryRun'] === '') throw invalidField('dryRun', 'must not be empty')
    })

    mount(scope, route, async (ctx, { query, request, reply }) => {
      const { body } = request
      if (!(body instanceof Readable) || readEncoding(request.headers) !== 'identity') throw notFileError(route)
      if (Number(request.headers['content-length'] ?? 0) > statementFileLimits.bytes) throw tooLargeError()
      const chunks = limitPace(body.iterator({ destroyOnReturn: false }), ctx.uploadPace ?? uploadPace)
      const { accountId, dryRun, takeRows, csvProfile } = query
      const isDryRun = dryRun === 'true'
      if (csvProfile !== undefined && !isDryRun) throw invalidField('csvProfile', 'is only for a dry run')
      const options = { accountId, isDryRun, takeRows: parseRows(takeRows), csvForm: parseForm(csvProfile) }
      try {
        return await withPacedUpload(request.raw.socket, () =>
          limitUploads(async () => {
            const bytes = await readWhole(chunks)
            return limitImports(() => takeFile(ctx, { fileName: query.fileName, bytes }, options, request, reply))
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
