import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createZstdCompress, createZstdDecompress } from 'node:zlib'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { AgeError, decryptAge, encryptAge } from '#server/lib/age.ts'
import { CommandError } from '#server/lib/command-error.ts'

/** The bytes of a stream, and the SHA-256 over them. */
export interface PartDigest {
  bytes: number
  sha256: string
  /** Line ends. In PostgreSQL's text form a row has one. */
  lines: number
}

export const encryptedEnding = '.age'
const hex = (bytes: Buffer) => bytes.toString('hex')

/** Passes bytes on and measures them. */
class Meter extends Transform {
  #hash = createHash('sha256')
  #bytes = 0
  #lines = 0

  constructor() {
    super({ highWaterMark: 256 * 1024 })
  }

  override _transform(chunk: Buffer, _encoding: string, done: (error: null, chunk: Buffer) => void): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) this.#lines++
    done(null, chunk)
  }

  /** Call this at the end. */
  finish(): PartDigest {
    return { bytes: this.#bytes, sha256: hex(this.#hash.digest()), lines: this.#lines }
  }
}

interface WrittenPart {
  /** As it stands in the store. */
  path: string
  stored: PartDigest
  content: PartDigest
}

export interface WriteOptions {
  store: ObjectStore
  recipients: readonly string[]
  isCompressed: boolean
  /** Ends it early. */
  stop?: AbortSignal | undefined
}

/** Writes a part durably, compressed and encrypted as asked. */
export async function writePart(
  path: string,
  source: Readable | AsyncIterable<Buffer>,
  { store, recipients, isCompressed, stop }: WriteOptions,
): Promise<WrittenPart> {
  const content = new Meter()
  const stored = new Meter()
  const written = recipients.length > 0 ? `${path}${encryptedEnding}` : path
  const compress = isCompressed ? [createZstdCompress()] : []
  const encrypt = recipients.length > 0 ? [(bytes: AsyncIterable<Buffer>) => encryptAge(bytes, recipients)] : []
  const put = (bytes: AsyncIterable<Buffer>) => store.put(written, bytes, { signal: stop })
  // The types of a pipeline do not know a list of steps.
  const steps = [source, content, ...compress, ...encrypt, stored, put] as unknown as [Readable, Meter]
  await pipeline(steps, { ...(stop && { signal: stop }) })
  return { path: written, stored: stored.finish(), content: content.finish() }
}

export interface ReadPart {
  store: ObjectStore
  /** As it stands in the store. */
  path: string
  identities: readonly string[]
}

/** What a part says, decrypted and decompressed. Throws CommandError if it cannot be read. */
export async function* readPart({ store, path, identities }: ReadPart): AsyncGenerator<Buffer> {
  let bytes = await store.get(path)
  if (!bytes) throw new CommandError(`The back-up in ${store.place} has no ${path}`)
  let name = path
  if (name.endsWith(encryptedEnding)) {
    bytes = decryptAge(bytes, identities)
    name = name.slice(0, -encryptedEnding.length)
  }
  try {
    if (name.endsWith('.zst')) yield* decompress(bytes)
    else yield* bytes
  } catch (error) {
    throw explain(path, error)
  }
}

async function* decompress(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const zstd = createZstdDecompress()
  const done = pipeline(bytes, zstd)
  // The reader below gets the error.
  done.catch(() => undefined)
  yield* zstd as AsyncIterable<Buffer>
  await done
}

function explain(path: string, error: unknown): unknown {
  if (error instanceof AgeError) return new CommandError(`${path}: ${error.message}`)
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code.startsWith('ZSTD_') || code.startsWith('ERR_') || code.startsWith('Z_'))
    return new CommandError(`${path} cannot be decompressed: it is changed or cut off`)
  return error
}

/** Reads bytes to their end. */
export async function measure(bytes: AsyncIterable<Buffer>): Promise<PartDigest> {
  const meter = new Meter()
  meter.resume()
  await pipeline(bytes, meter)
  return meter.finish()
}

/** The digest of a part as it stands there. Null if there is none. */
export async function measureStored(store: ObjectStore, path: string): Promise<PartDigest | null> {
  const bytes = await store.get(path)
  return bytes && measure(bytes)
}
