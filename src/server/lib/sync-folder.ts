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
