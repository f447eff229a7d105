import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder, writeOnce } from '#server/lib/write-once.ts'
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
