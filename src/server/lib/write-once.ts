import { closeSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'

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
