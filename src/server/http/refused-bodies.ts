import type { FastifyReply, FastifyRequest } from 'fastify'

const mostBytes = 32 * 1024 * 1024
const mostMs = 20_000

/**
 * What still comes of a body that was refused is read and thrown away, up to 32 MB and 20 seconds: a client that writes
 * all of it before it reads would otherwise lose its connection instead of hearing why.
 */
export function discardRest({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || raw.destroyed) return
  // Closed with unread bytes, the connection would be reset before the client has read the answer.
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
