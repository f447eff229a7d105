import { createReadStream } from 'node:fs'
import { mkdir, open, opendir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '#server/lib/sync-folder.ts'

export interface StoredFile {
  name: string
  size: number
  changedAt: Date
}

/** Keeps bytes under names of 64 hexadecimal digits. Knows nothing of what they are; a bucket does as well as a folder. */
export interface FileStore {
  /** Stores the bytes durably, whole or not at all. Replaces what has the name. */
  put(name: string, bytes: Buffer): Promise<void>
  /** The bytes, or the first `most` of them. Null if nothing has the name. */
  get(name: string, most?: number): Promise<Buffer | null>
  has(name: string): Promise<boolean>
  /** Does nothing if nothing has the name. */
  delete(name: string): Promise<void>
  /** All files, in any order. One that is deleted meanwhile may be among them. */
  list(): AsyncIterable<StoredFile>
}

const isName = /^[0-9a-f]{64}$/
const isDraft = /^[0-9a-f]{64}\./
/** A draft that is older belongs to a process that ended while it wrote. */
const draftMs = 24 * 3600 * 1000

/** Null where there is no such file. */
async function ifFound<T>(work: Promise<T>): Promise<T | null> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function readStart(path: string, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of createReadStream(path, { end: most - 1 })) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

async function writeWhole(path: string, bytes: Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Writes a draft and renames it, so that a crash leaves no incomplete file.
  const draft = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`
  const file = await open(draft, 'wx', 0o600)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  await syncFolder(dirname(path))
}

/** A folder outside the web root, two levels deep, so that no directory grows without bound. */
export function createFolderStore(folder: string): FileStore {
  const pathOf = (name: string) => {
    if (!isName.test(name)) throw new Error('a stored file is named by 64 hexadecimal digits')
    return join(folder, name.slice(0, 2), name)
  }
  return {
    put: (name, bytes) => writeWhole(pathOf(name), bytes),
    get: (name, most) => ifFound(most === undefined ? readFile(pathOf(name)) : readStart(pathOf(name), most)),
    has: async (name) => (await ifFound(stat(pathOf(name)))) !== null,
    delete: (name) => rm(pathOf(name), { force: true }),
    list: () => listFolder(folder),
  }
}

/** Removes old drafts on the way. */
async function* listFolder(folder: string): AsyncGenerator<StoredFile> {
  for await (const part of (await ifFound(opendir(folder))) ?? []) {
    if (!part.isDirectory()) continue
    for await (const { name } of (await ifFound(opendir(join(folder, part.name)))) ?? []) {
      const path = join(folder, part.name, name)
      const found = isName.test(name) || isDraft.test(name) ? await ifFound(stat(path)) : null
      if (!found?.isFile()) continue
      if (isName.test(name)) yield { name, size: found.size, changedAt: found.mtime }
      else if (Date.now() - found.mtimeMs > draftMs) await rm(path, { force: true })
    }
  }
}
