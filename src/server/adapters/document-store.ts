import { createReadStream } from 'node:fs'
import { mkdir, open, rename, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncFolder } from '#server/lib/sync-folder.ts'

/** Stores document bytes. Names are SHA-256 digests of the bytes, so that no caller chooses a file name. */
export interface DocumentStore {
  /** Stores the bytes durably. The same name is the same file. */
  put(name: string, bytes: Buffer): Promise<void>
  /** Opens the bytes for reading. Null if they are not stored. */
  open(name: string): Promise<{ size: number; stream: Readable } | null>
}

const isName = /^[0-9a-f]{64}$/

/** A folder outside the web root, two levels deep, so that no directory grows without bound. */
export function createFolderStore(folder: string): DocumentStore {
  const pathOf = (name: string) => {
    if (!isName.test(name)) throw new Error('a stored document is named by its SHA-256')
    return join(folder, name.slice(0, 2), name)
  }
  return {
    async put(name, bytes) {
      const path = pathOf(name)
      if (await stat(path).catch(() => null)) return
      await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      // Writes a draft and renames it, so that a crash leaves no incomplete document.
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
    },
    async open(name) {
      const found = await stat(pathOf(name)).catch(() => null)
      return found && { size: found.size, stream: createReadStream(pathOf(name)) }
    },
  }
}
