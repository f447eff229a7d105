import type { FastifyReply, FastifyRequest } from 'fastify'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { sha256 } from '#server/lib/hash.ts'

const compress = promisify(gzip)

/** A shorter answer fits into one packet anyway. */
const leastBytes = 1400

const takesGzip = (accepted = '') => /(^|[\s,])gzip\s*(;\s*q=(1|0\.\d*[1-9])\S*\s*)?(,|$)/i.test(accepted)

/** Compares weakly, as a GET does. */
const isKnown = (etag: string, known = '') =>
  known.split(',').some((each) => each.trim().replace(/^W\//, '') === etag.replace(/^W\//, ''))

/** The onSend hook of a call whose answer may be compressed: with an ETag of its content, and 304 to who has it already. */
export async function compressReply(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (reply.statusCode !== 200 || typeof payload !== 'string') return payload
  const etag = `W/"${sha256(payload).toString('base64url')}"`
  reply.headers({ etag, vary: 'accept-encoding' })
  if (isKnown(etag, headers['if-none-match'])) {
    reply.code(304).removeHeader('content-type')
    return null
  }
  if (payload.length < leastBytes || !takesGzip(headers['accept-encoding'])) return payload
  reply.header('content-encoding', 'gzip')
  return compress(payload)
}
