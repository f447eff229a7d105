import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { open } from 'node:fs/promises'

/** Makes new names in the folder survive a power cut: a name is durable only once the folder is on disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows cannot open folders, and writes names through by itself.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Writes a file that only its owner reads, whole or not at all. What another process wrote first stays. */
export function writeOnce(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(draft, path) // unlike rename, never replaces what another start wrote a moment ago
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  rmSync(draft)
}
