import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { AppError } from '#server/errors.ts'

/** Lines of JSON pack to a twentieth or so. What unpacks to far more, up to a thousandfold, only keeps the server busy. */
const mostRatio = 200
/** A short input may repeat itself as it likes. */
const freeBytes = 8 * 1024 * 1024

/** What a connection that ends in the middle of the data leaves behind. */
function brokenOff() {
  return Object.assign(new Error('the input ended early'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

/**
 * The data that gzip has packed, members one after the other included. Unpacked as it is read, so that memory stays flat
 * however much comes out; throws too_large for a bomb. Neither end nor failure destroys the source, over whose connection an answer may have to go.
 */
export async function* gunzipped(source: Readable): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 })
  // Whoever reads meets the failure; until then it must not count as unhandled.
  gunzip.on('error', () => {})
  source.once('error', (error) => gunzip.destroy(error))
  source.once('close', () => {
    if (!source.readableEnded) gunzip.destroy(brokenOff())
  })
  try {
    let unpacked = 0
    for await (const chunk of source.pipe(gunzip) as AsyncIterable<Buffer>) {
      unpacked += chunk.length
      if (unpacked > freeBytes && unpacked > mostRatio * gunzip.bytesWritten)
        throw new AppError('too_large', `The input unpacks to more than ${mostRatio} times its size`)
      yield chunk
    }
  } finally {
    source.unpipe(gunzip)
    gunzip.destroy()
  }
}

export const isBrokenGzip = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
