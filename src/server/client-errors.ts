import { STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'

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

/** Answers what never became a request: broken HTTP, headers without end, a body that does not arrive in time. */
export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && uploading.has(socket)) return
  const { status, code, message } = refusals[error.code ?? ''] ?? badRequest
  const body = JSON.stringify({ message, code })
  if (socket.writable)
    socket.write(
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
    )
  socket.destroy(error)
}
