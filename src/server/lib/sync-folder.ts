import { open } from 'node:fs/promises'

/** Makes names created in the folder survive a power cut: a new name is durable only once the folder itself is on disk. */
export async function syncFolder(path: string): Promise<void> {
  // Windows opens no folder, and writes names through by itself.
  if (process.platform === 'win32') return
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
