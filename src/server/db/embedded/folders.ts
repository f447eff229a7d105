import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Account } from './account.ts'
import { readErrorCode, StartError } from './errors.ts'

const remedies: Record<string, string> = {
  EACCES: 'this account may not write there; give it the right or set DATA_DIR to another folder',
  EPERM: 'this account may not change it; start as its owner or set DATA_DIR to another folder',
  EROFS: 'the file system is read-only; set DATA_DIR to a writable folder',
  ENOTDIR: 'a part of the path is a file; set DATA_DIR to a folder',
  ENOENT: 'no folder can be made there; set DATA_DIR to another folder',
  EEXIST: 'there is a file of that name; set DATA_DIR to a folder',
  ENOSPC: 'the disk is full; free some space',
  EDQUOT: 'the disk quota is used up; free some space',
}

/** Runs `work` on `path`. Turns file system errors into a line that says what to do. */
export function explainFileErrors<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    const remedy = remedies[readErrorCode(error)] ?? (error instanceof Error ? error.message : String(error))
    throw new StartError(`Cannot use ${path}: ${remedy}.`, { cause: error })
  }
}

/** Creates the folder if it is missing. An existing one keeps its permissions. */
export function makeFolder(path: string, mode: number): void {
  explainFileErrors(path, () => {
    // mkdir obeys the umask, which may be stricter than what the database's account needs
    if (makeMissing(path, mode)) chmodSync(path, mode)
    if (!statSync(path).isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'EEXIST' })
  })
}

/** Node's recursive mkdir never returns if a parent takes no folders, such as /proc. */
function makeMissing(path: string, mode: number): boolean {
  if (existsSync(path)) return false
  makeMissing(dirname(path), mode)
  try {
    mkdirSync(path, { mode })
    return true
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error // else another start was faster
    return false
  }
}

/** Creates a folder that only the database's account can enter. */
export function makePrivateFolder(path: string, account: Account | null): void {
  makeFolder(path, 0o700)
  explainFileErrors(path, () => {
    if (account) chownSync(path, account.uid, account.gid)
    chmodSync(path, 0o700)
  })
}
