import { STATUS_CODES, type IncomingMessage, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { securityHeaders } from './headers.ts'

const idleMs = 120_000
const uploading = new WeakSet<Socket>()

/**
 * Lets an upload last longer than the server's requestTimeout, which would cut it whole; instead the connection ends
 * when nothing has arrived for two minutes.
 */
export async function asLongUpload<T>(socket: Socket, work: () => Promise<T>): Promise<T> {
  // An injected request has no connection that could time out.
  if (!(socket instanceof Socket)) return work()
  const giveUp = () => socket.destroy()
  uploading.add(socket)
  socket.setTimeout(idleMs).on('timeout', giveUp)
  try {
    return await work()
  } finally {
    uploading.delete(socket)
    socket.setTimeout(0).off('timeout', giveUp)
  }
}

const refusals: Record<string, { status: number; code: string; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, code: 'timeout', message: 'The request took too long to arrive' },
  HPE_HEADER_OVERFLOW: { status: 431, code: 'too_large', message: 'The request headers are too large' },
}
const badRequest = { status: 400, code: 'invalid', message: 'The request is not valid HTTP' }

const headersFor = (body: string) => ({
  ...securityHeaders,
  'content-type': 'application/json; charset=utf-8',
  'content-length': Buffer.byteLength(body),
  connection: 'close',
})

/** Answers what never became a request: broken HTTP, headers without end, a body that does not arrive in time. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
  const { status, code, message } = refusals[error.code ?? ''] ?? badRequest
  const body = JSON.stringify({ message, code })
  const lines = Object.entries(headersFor(body)).map(([name, value]) => `${name}: ${value}\r\n`)
  if (socket.writable) socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`)
  socket.destroy(error)
}

/** Node's `checkExpectation`: an `Expect` that is not `100-continue`. */
export function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const body = JSON.stringify({ message: 'Expect may only be 100-continue', code: 'invalid' })
  response.writeHead(417, headersFor(body)).end(body)
}
