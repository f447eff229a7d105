import { randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { syncFolder } from '#server/lib/write-once.ts'
import { isObjectPath, requireObjectPath } from './object-path.ts'
import type { ObjectStore, StoredObject } from './object-store.ts'

/** What a file is called while it is written. */
const isDraft = /\.\d+-[a-z0-9]+$/
/** A draft that is older belongs to a process that ended while it wrote. */
const draftMs = 24 * 3600 * 1000
const chunkBytes = 256 * 1024

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

async function writeWhole(path: string, content: Buffer | AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  // Writes a draft and renames it, so that a crash leaves no incomplete file.
  const draft = `${path}.${process.pid}-${randomBytes(8).toString('hex')}`
  const file = await open(draft, 'wx', 0o600)
  try {
    if (Buffer.isBuffer(content)) await file.writeFile(content)
    else for await (const chunk of content) await file.writeFile(chunk)
    await file.sync()
    await file.close()
    await rename(draft, path)
  } catch (error) {
    await file.close().catch(() => {})
    await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  await syncFolder(dirname(path))
}

const isFile = async (path: string): Promise<boolean> => (await ifFound(stat(path)))?.isFile() === true

/** A folder outside the web root. */
export function createFolderObjects(folder: string): ObjectStore {
  const pathOf = (path: string) => join(folder, requireObjectPath(path))
  return {
    place: folder,
    put: (path, content) => writeWhole(pathOf(path), content),
    get: async (path) =>
      (await isFile(pathOf(path))) ? createReadStream(pathOf(path), { highWaterMark: chunkBytes }) : null,
    read: (path, most) => ifFound(most === undefined ? readFile(pathOf(path)) : readStart(pathOf(path), most)),
    has: (path) => isFile(pathOf(path)),
    delete: (path) => rm(pathOf(path), { force: true }),
    list: (after = '') => listFolder(folder, '', after),
    async listFolders() {
      const entries = (await ifFound(readdir(folder, { withFileTypes: true }))) ?? []
      return entries.filter((entry) => entry.isDirectory() && isObjectPath(entry.name)).map(({ name }) => name)
    },
    within: (name) => createFolderObjects(pathOf(name)),
    async deleteAll(last) {
      for await (const { path } of listFolder(folder, '', '')) if (path !== last) await rm(join(folder, path))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Removes old drafts on the way. */
async function* listFolder(folder: string, below: string, after: string): AsyncGenerator<StoredObject> {
  const entries = (await ifFound(readdir(join(folder, below), { withFileTypes: true }))) ?? []
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = `${below}${entry.name}`
    if (!isObjectPath(path) || (path <= after && !after.startsWith(`${path}/`))) continue
    if (entry.isDirectory()) yield* listFolder(folder, `${path}/`, after)
    else {
      const found = await ifFound(stat(join(folder, path)))
      if (!found?.isFile()) continue
      if (!isDraft.test(path)) yield { path, size: found.size, changedAt: found.mtime }
      else if (Date.now() - found.mtimeMs > draftMs) await rm(join(folder, path), { force: true })
    }
  }
}
