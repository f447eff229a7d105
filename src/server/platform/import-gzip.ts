import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '#server/lib/errors.ts'

/** JSON lines shrink to about a twentieth. Data that unpacks to far more only keeps the server busy. */
const maxRatio = 200
/** A short input may have any ratio. */
const freeBytes = 8 * 1024 * 1024

/** The error of a connection that ends before the data does. */
function prematureEndError() {
  return Object.assign(new Error('the input ended early'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

/**
 * Unpacks gzip, also several members in a row, while it is read, so that memory stays flat. Throws too_large for a
 * bomb. Only zeros may follow the last member. Never destroys the source, because the answer uses its connection.
 */
export async function* gunzipStream(source: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  // The reader gets the failure. Until then it must not count as unhandled.
  gunzip.on('error', () => {})
  // The input that gunzip has not consumed yet, with its position.
  let given: { from: number; chunk: Buffer }[] = []
  let passed = 0
  const keep = (chunk: Buffer) => {
    given = given.filter(({ from, chunk: { length } }) => from + length > gunzip.bytesWritten)
    given.push({ from: passed, chunk })
    passed += chunk.length
  }
  source.on('data', keep)
  source.once('error', (error) => gunzip.destroy(error))
  source.once('close', () => {
    if (!source.readableEnded) gunzip.destroy(prematureEndError())
  })
  try {
    let unpacked = 0
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > freeBytes && unpacked > maxRatio * gunzip.bytesWritten)
        throw new AppError('too_large', `The input unpacks to more than ${maxRatio} times its size`)
      yield chunk
    }
    source.unpipe(gunzip)
    source.off('data', keep)
    for (const { from, chunk } of given) requirePadding(chunk.subarray(Math.max(0, gunzip.bytesWritten - from)))
    if (!source.readableEnded)
      for await (const chunk of source.iterator({ destroyOnReturn: false })) requirePadding(chunk as Buffer)
  } finally {
    source.unpipe(gunzip)
    source.off('data', keep)
    gunzip.destroy()
  }
}

/** At a zero after a member gunzip ends and drops the rest, so that later members would be lost without an error. */
function requirePadding(rest: Buffer) {
  if (rest.some((byte) => byte !== 0))
    throw Object.assign(new Error('data follows zeros behind a member'), { code: 'Z_DATA_ERROR' })
}

export const isBrokenGzip = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
