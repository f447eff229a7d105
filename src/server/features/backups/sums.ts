import { createReadStream } from 'node:fs'
import { type FileHandle, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { CommandError } from '#server/lib/command-error.ts'
import { syncFolder } from '#server/lib/sync-folder.ts'
import { sumsFile } from './manifest.ts'

const draftOf = (folder: string) => join(folder, `${sumsFile}.partial`)

/** A part as `sha256sum` writes it. */
export const formatSum = (sha256: string, path: string): string => `${sha256}  ${path}\n`

/** Collects the digests of all parts. A backup without them under their final name is not finished. */
export class SumsWriter {
  readonly #folder: string
  readonly #file: FileHandle

  private constructor(folder: string, file: FileHandle) {
    this.#folder = folder
    this.#file = file
  }

  static async open(folder: string): Promise<SumsWriter> {
    return new SumsWriter(folder, await open(draftOf(folder), 'ax', 0o600))
  }

  async add(lines: string): Promise<void> {
    await this.#file.appendFile(lines)
  }

  /** Marks the backup as finished. All parts are on the disk before. */
  async finish(): Promise<void> {
    await this.#file.sync()
    await this.#file.close()
    await rename(draftOf(this.#folder), join(this.#folder, sumsFile))
    await syncFolder(this.#folder)
  }

  /** Leaves the backup unfinished. */
  async abandon(): Promise<void> {
    await this.#file.close().catch(() => undefined)
  }
}

export interface Sum {
  sha256: string
  path: string
}

/** A path below the folder. Nothing else in a list that anybody may have written is opened. */
const sumForm = /^([0-9a-f]{64}) {2}((?:[\w.-]+\/)*[\w-][\w.-]*)$/

/** The digests of a finished backup. Throws CommandError where there is none. */
export async function* readSums(folder: string): AsyncGenerator<Sum> {
  const path = join(folder, sumsFile)
  const file = await open(path).catch((error: unknown) => {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    throw new CommandError(
      `${folder} is no finished back-up: it has no ${sumsFile}, which is written last. Make another one`,
    )
  })
  await file.close()
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path, 'utf8'), crlfDelay: Infinity })) {
    number++
    const [, sha256, part] = sumForm.exec(line) ?? []
    if (sha256 === undefined || part === undefined || part.split('/').includes('..'))
      throw new CommandError(`${sumsFile} is damaged: line ${number} is no digest of a part`)
    yield { sha256, path: part }
  }
}
