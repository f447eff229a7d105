import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { PassThrough, Readable } from 'node:stream'
import { isObjectPath } from '#server/adapters/object-path.ts'
import type { ObjectStore } from '#server/adapters/object-store.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { sumsFile } from './manifest.ts'

/** A part as `sha256sum` writes it. */
export const formatSum = (sha256: string, path: string): string => `${sha256}  ${path}\n`

/** Collects the digests of all parts. They are stored at the end, and a backup without them is not finished. */
export class SumsWriter {
  readonly #lines = new PassThrough()
  readonly #stored: Promise<void>

  constructor(store: ObjectStore, signal?: AbortSignal) {
    this.#stored = store.put(sumsFile, this.#lines, { signal })
    // The next call of `add` or of `finish` throws the error.
    this.#stored.catch((error: Error) => this.#lines.destroy(error))
    this.#lines.on('error', () => {})
  }

  async add(lines: string): Promise<void> {
    if (!this.#lines.write(lines)) await once(this.#lines, 'drain')
  }

  /** Marks the backup as finished. All parts are stored before. */
  async finish(): Promise<void> {
    this.#lines.end()
    await this.#stored
  }

  /** Leaves the backup unfinished, if it is. */
  async abandon(): Promise<void> {
    this.#lines.destroy(new Error('the back-up was cut off'))
    await this.#stored.catch(() => {})
  }
}

export interface Sum {
  sha256: string
  path: string
}

const sumForm = /^([0-9a-f]{64}) {2}(.+)$/

/** The digests of a finished backup. Throws CommandError where there is none. */
export async function* readSums(store: ObjectStore): AsyncGenerator<Sum> {
  const bytes = await store.get(sumsFile)
  if (!bytes)
    throw new CommandError(
      `${store.place} is not a finished back-up: it has no ${sumsFile}, which is written last. Make another one`,
    )
  let number = 0
  for await (const line of createInterface({ input: Readable.from(bytes), crlfDelay: Infinity })) {
    number++
    const [, sha256, path] = sumForm.exec(line) ?? []
    // Nothing else in a list that anybody may have written is opened.
    if (sha256 === undefined || path === undefined || !isObjectPath(path))
      throw new CommandError(`${sumsFile} is damaged: line ${number} is not a digest of a part`)
    yield { sha256, path }
  }
}
