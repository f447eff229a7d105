import type { FastifyReply, FastifyRequest } from 'fastify'

const mostBytes = 32 * 1024 * 1024
const mostMs = 20_000

/**
 * Reads and discards the rest of a refused body, up to 32 MB and 20 seconds. A client that writes its whole body before it
 * reads would otherwise lose the connection instead of getting the answer.
 */
export function discardRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return
  // With unread bytes the connection would be reset before the client reads the answer.
  reply.removeHeader('connection')
  let left = mostBytes
  const end = () => raw.destroy()
  const timer = setTimeout(end, mostMs).unref()
  raw
    .on('error', () => {})
    .on('data', (chunk: Buffer) => {
      left -= chunk.length
      if (left < 0) end()
    })
    .once('close', () => clearTimeout(timer))
    .resume()
}
