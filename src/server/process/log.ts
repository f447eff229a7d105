import type { FastifyBaseLogger } from 'fastify'
import { clientAddress } from '#server/http/client-address.ts'
import { omit } from '#server/lib/omit.ts'
import { pino, stdSerializers, type DestinationStream } from 'pino'

interface LoggedRequest {
  id: string
  method: string
  /** Absent if the router refused the request. */
  routeOptions?: { url?: string | undefined }
  ip: string
  ips?: string[]
}

/**
 * One JSON line per event, without bodies and headers. Of an address only the route's pattern, because the values may
 * be a view token, which opens a document, or a search for a person.
 */
export const createLog = (level: string, destination: DestinationStream = pino.destination(1)): FastifyBaseLogger =>
  pino(
    {
      level,
      base: null,
      serializers: {
        req: (request: LoggedRequest) => ({
          id: request.id,
          method: request.method,
          route: request.routeOptions?.url ?? null,
          ip: clientAddress(request),
        }),
        // The pool adds the client that broke: kilobytes of its state, with all SQL that it has prepared.
        err: (error: Error) => omit(stdSerializers.err(error), ['client']),
      },
    },
    destination,
  )
