import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '#server/lib/sync-folder.ts'
import { readErrorCode } from './errors.ts'
import { explainFileErrors } from './folders.ts'

/**
 * The database password of this installation, made on the first start. It is on the disk before the first database is,
 * or a power cut could leave a database that nobody can open.
 */
export async function readPassword(home: string): Promise<string> {
  const file = join(home, 'password')
  if (!existsSync(file)) {
    explainFileErrors(file, () => writeOnce(file, randomBytes(24).toString('base64url')))
    await syncFolder(home)
  }
  return explainFileErrors(file, () => readFileSync(file, 'utf8').trim())
}

function writeOnce(path: string, text: string): void {
  const draft = `${path}.${process.pid}`
  rmSync(draft, { force: true })
  const descriptor = openSync(draft, 'wx', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(draft, path) // unlike rename, never replaces what another start wrote a moment ago
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error
  }
  rmSync(draft)
}
