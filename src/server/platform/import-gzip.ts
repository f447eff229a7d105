import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'

/** What a connection that ends in the middle of the data leaves behind. */
function brokenOff() {
  return Object.assign(new Error('the input ended early'), { code: 'ERR_STREAM_PREMATURE_CLOSE' })
}

/**
 * The data that gzip has packed, members one after the other included. Unpacked as it is read, so that memory stays flat
 * however much comes out. Neither end nor failure destroys the source, over whose connection an answer may have to go.
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
    yield* source.pipe(gunzip) as AsyncIterable<Buffer>
  } finally {
    source.unpipe(gunzip)
    gunzip.destroy()
  }
}

export const isBrokenGzip = (error: unknown) =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')
