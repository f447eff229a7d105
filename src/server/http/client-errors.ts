import { randomUUID } from 'node:crypto'
import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import { errorStatuses, type ErrorCode } from '#contract/errors.ts'
import { requestIdHeader } from './headers.ts'

const uploading = new WeakSet<Socket>()

/**
 * Lets an upload take longer than the server's requestTimeout, which would cut its connection. The upload has its own
 * limit of pace, and gets an answer when it is too slow.
 */
export async function withPacedUpload<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  // An injected request has no connection.
  if (!(socket instanceof Socket)) return work()
  uploading.add(socket)
  try {
    return await work()
  } finally {
    uploading.delete(socket)
  }
}

interface RawRefusal {
  code: ErrorCode
  message: string
}
const refusals: Record<string, RawRefusal> = {
  ERR_HTTP_REQUEST_TIMEOUT: { code: 'timeout', message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { code: 'headers_too_large', message: 'The request headers are too large' },
}
const badRequest: RawRefusal = { code: 'invalid', message: 'The request is not valid HTTP' }
const badExpectation: RawRefusal = { code: 'expectation_failed', message: 'Expect may only be 100-continue' }

/** Refuses what never becomes a request, with the usual `headers` and a request id that is also logged. */
export function createRawRefusals(headers: Readonly<Record<string, string>>, log: FastifyBaseLogger) {
  const buildHeaders = (body: string, code: ErrorCode) => ({
    ...headers,
    [requestIdHeader]: logRefusal(code),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  })
  function logRefusal(code: ErrorCode): string {
    const reqId = randomUUID()
    log.info({ reqId, code }, 'refused before it became a request')
    return reqId
  }
  return {
    /** Node's `clientError`: invalid HTTP, endless headers, or a body that does not arrive in time. */
    answerClientError: (error: Error & { code?: string }, socket: Socket): void => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return
      if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
      const { code, message } = refusals[error.code ?? ''] ?? badRequest
      const status = errorStatuses[code]
      const body = JSON.stringify({ message, code })
      const lines = Object.entries(buildHeaders(body, code)).map(([name, value]) => `${name}: ${value}\r\n`)
      if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
      socket.destroy(error)
    },
    /** Node's `checkExpectation`: an `Expect` that is not `100-continue`. */
    refuseExpectation: (_request: IncomingMessage, response: ServerResponse): void => {
      const { code, message } = badExpectation
      const body = JSON.stringify({ message, code })
      response.writeHead(errorStatuses[code], buildHeaders(body, code)).end(body)
    },
  }
}
