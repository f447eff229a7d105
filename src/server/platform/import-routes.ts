import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { platformRoutes } from '#contract/platform-api.ts'
import { asLongUpload } from '#server/client-errors.ts'
import { AppError } from '#server/errors.ts'
import { mount } from '#server/mount.ts'
import { importStream } from './import.ts'

export function importDoor(app: FastifyInstance): void {
  void app.register(async (scope) => {
    // A room of its own: here alone a body comes as a stream, of any size, and nothing else is taken.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('application/x-ndjson', (_request, payload, done) => done(null, payload))
    scope.addContentTypeParser('*', (_request, _payload, done) => done(notNdjson()))

    mount(scope, platformRoutes.import, async (ctx, { request }) => {
      if (!(request.body instanceof Readable) || request.headers['content-encoding']) throw notNdjson()
      const { body } = request
      return asLongUpload(request.raw.socket, () => importStream(ctx, body))
    })
  })
}

const notNdjson = () => new AppError('unsupported_media_type', 'The body must be application/x-ndjson, not compressed')
