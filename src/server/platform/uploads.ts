import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { asLongUpload } from '#server/client-errors.ts'
import { AppError } from '#server/errors.ts'
import { maxUploadBytes } from '#server/features/documents/image.ts'
import { storeDocument } from '#server/features/documents/store.ts'
import { createGate } from '#server/gate.ts'
import { mount } from '#server/mount.ts'
import { announceSoon } from './announce-soon.ts'
import { callMade, recordCall } from './record-calls.ts'

const { saveDocument } = platformRoutes

/** An upload that trickles in must not keep its place for ever: 10 MB take 80 seconds at 1 Mbit/s. */
const patienceMs = 120_000

// Each holds its bytes until it is stored; those that wait for a place are not read meanwhile.
const eightAtATime = createGate(8, 64, 'Too many uploads at once; try again in a moment')

const notPicture = () =>
  new AppError('unsupported_media_type', `The body must be one of ${saveDocument.consumes?.join(', ')}, not compressed`)
const tooLarge = () => new AppError('too_large', 'The picture has more than 10 MB')

/** The upload of an identity picture, in a room of its own: here alone a body comes as a stream, and only as a picture. */
export function uploadsDoor(app: FastifyInstance): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser([...saveDocument.consumes!], (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notPicture()))

    mount(scope, saveDocument, async (ctx, { params: { id, kind }, request, reply }) => {
      const { body } = request
      if (!(body instanceof Readable) || request.headers['content-encoding']) throw notPicture()
      if (Number(request.headers['content-length'] ?? 0) > maxUploadBytes) {
        // None of it is read, so that the connection can't be used for another call.
        reply.header('connection', 'close')
        throw tooLarge()
      }
      return asLongUpload(request.raw.socket, () =>
        eightAtATime(async () => {
          const upload = await readWhole(body)
          const { documentPath } = await storeDocument(ctx, id, kind, upload, (tx, { created }) =>
            recordCall(tx, ctx, callMade(request), { outcome: created ? 'created' : 'unchanged' }),
          )
          announceSoon(ctx, ['logs'])
          return { documentPath }
        }),
      )
    })
  })
}

/**
 * Throws too_large as soon as more than 10 MB have come, whatever is still on its way; invalid, with the connection
 * closed, when it breaks off or is not whole after `patience`.
 */
export async function readWhole(body: Readable, patience = patienceMs): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  const late = setTimeout(() => body.destroy(new Error('the upload took too long')), patience)
  try {
    // The stream must outlive the loop: it is the connection that a refusal goes out on.
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxUploadBytes) break
      chunks.push(chunk)
    }
  } catch (error) {
    throw new AppError('invalid', 'The upload broke off, or took longer than two minutes', { cause: error })
  } finally {
    clearTimeout(late)
  }
  if (size <= maxUploadBytes) return Buffer.concat(chunks, size)
  letGo(body)
  throw tooLarge()
}

/** As much again is thrown away, so that a client that still sends can hear the refusal; then it is cut off. */
function letGo(body: Readable): void {
  let left = maxUploadBytes
  body
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) body.destroy()
    })
}
