import type { FastifyBaseLogger } from 'fastify'
import { pino, stdSerializers } from 'pino'

/** View tokens open a document, so no log line holds one. */
const maskTokens = (url: string) => url.replace(/^(\/api\/documents\/(?:view|proxy)\/)[^/?]+/, '$1***')

interface LoggedRequest {
  id: string
  method: string
  url: string
  ip: string
}

/** One JSON line an event on standard output; no query strings of searches beyond the address, no bodies, no headers. */
export const createLog = (level: string): FastifyBaseLogger =>
  pino({
    level,
    base: null,
    serializers: {
      req: (request: LoggedRequest) => ({
        id: request.id,
        method: request.method,
        url: maskTokens(request.url),
        ip: request.ip,
      }),
      err: stdSerializers.err,
    },
  })
