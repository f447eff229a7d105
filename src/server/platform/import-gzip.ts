import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '#server/lib/errors.ts'

/** Lines of JSON pack to a twentieth or so. What unpacks to far more, up to a thousandfold, only keeps the server busy. */
const maxRatio = 200
/** A short input may repeat itself as it likes. */
const freeBytes = 8 * 1024 * 1024

/** What a connection that ends in the middle of the data leaves behind. */
function prematureEndError() {
  return Object.assign(new Error('the input ended early'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

/**
 * The data that gzip has packed, members one after the other included. Unpacked as it is read, so that memory stays flat
 * however much comes out; throws too_large for a bomb. After the last member only zeros may come. Neither end nor failure
 * destroys the source, over whose connection an answer may have to go.
 */
export async function* gunzipStream(source: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  // Whoever reads meets the failure; until then it must not count as unhandled.
  gunzip.on('error', () => {})
  // What gunzip has not consumed yet, by its place in the input.
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

/** At a zero behind a member gunzip ends and drops the rest: members after it would be lost without a word. */
function requirePadding(rest: Buffer) {
  if (rest.some((byte) => byte !== 0))
    throw Object.assign(new Error('data follows zeros behind a member'), { code: 'Z_DATA_ERROR' })
}

export const isBrokenGzip = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
