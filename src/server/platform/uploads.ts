import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { withPacedUpload } from '#server/http/client-errors.ts'
import { AppError } from '#server/lib/errors.ts'
import { maxUploadBytes, storeDocument } from '#server/features/documents/service.ts'
import { createLimiters } from '#server/lib/concurrency-limit.ts'
import { readEncoding } from '#server/http/headers.ts'
import { mount } from '#server/http/mount.ts'
import { announceSoon } from './announce-soon.ts'
import { limitPace, uploadPace } from '#server/lib/pace.ts'
import { describeCall, recordCall } from './record-calls.ts'

const { saveDocument } = platformRoutes

// A running upload holds its bytes. Waiting ones are not read meanwhile. A slow upload takes long, so the limit is per key.
const limitUploads = createLimiters(8, 64, 'Too many uploads at once with this key; try again in a moment')

const notPictureError = () =>
  new AppError('unsupported_media_type', `The body must be one of ${saveDocument.consumes?.join(', ')}, not compressed`)
const tooLargeError = () => new AppError('too_large', 'The picture has more than 10 MB')

/** The upload of an identity picture. In this scope only, a body arrives as a stream, and only as a picture. */
export function registerUploadRoute(app: FastifyInstance): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser([...saveDocument.consumes!], (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notPictureError()))

    mount(scope, saveDocument, async (ctx, { params: { id, kind }, request, reply }) => {
      const { body } = request
      if (!(body instanceof Readable) || readEncoding(request.headers) !== 'identity') throw notPictureError()
      if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes) throw tooLargeError()
      const read = () => readWhole(limitPace(body.iterator({ destroyOnReturn: false }), ctx.uploadPace ?? uploadPace))
      try {
        return await withPacedUpload(request.raw.socket, () =>
          limitUploads(ctx.actor.name, async () => {
            const upload = await read()
            const { documentPath } = await storeDocument(ctx, id, kind, upload, async (tx, { created }) => {
              await recordCall(tx, ctx, describeCall(request), { outcome: created ? 'created' : 'unchanged' })
            })
            announceSoon(ctx, ['logs'])
            return { documentPath }
          }),
        )
      } catch (error) {
        // The rest of the body may never arrive, so the connection cannot be used again.
        if (error instanceof AppError && error.code === 'timeout') {
          reply.header('connection', 'close')
          body.resume()
        }
        throw error
      }
    })
  })
}

/** Throws too_large as soon as more than 10 MB have arrived, and invalid if the upload breaks off. */
async function readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size > maxUploadBytes) throw tooLargeError()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError('invalid', 'The upload broke off', { cause: error })
  }
  return Buffer.concat(chunks, size)
}
