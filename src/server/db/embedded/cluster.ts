import { spawn } from 'node:child_process'
import { chownSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { syncFolder } from '#server/lib/write-once.ts'
import { spawnIdentity } from './account.ts'
import { program } from './binaries.ts'
import { StartError } from './errors.ts'
import { makePrivateFolder, explainFileErrors } from './folders.ts'
import type { DatabaseLocation } from './location.ts'
import { isAlive } from './processes.ts'
import { childEnvironment } from './server-settings.ts'

/** The one database of the cluster and its owner share this name. */
export const databaseName = 'app'

/** Makes the cluster if there is none: aside and then renamed, so that a crash leaves nothing that looks whole. */
export async function prepareCluster(place: DatabaseLocation, native: string, password: string): Promise<void> {
  removeAbandonedDrafts(place)
  if (isMade(place)) return
  const draft = `${place.cluster}.new-${process.pid}`
  rmSync(draft, { recursive: true, force: true })
  makePrivateFolder(draft, place.account)
  try {
    await initialise(place, native, draft, password)
    await createDatabase(place, native, draft)
    explainFileErrors(place.cluster, () => renameSync(draft, place.cluster))
    await syncFolder(place.home)
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    if (!isMade(place)) throw error // else another console was faster: its cluster is as good as ours
  }
}

const isMade = (place: DatabaseLocation): boolean => existsSync(join(place.cluster, 'PG_VERSION'))

function removeAbandonedDrafts({ home }: DatabaseLocation): void {
  for (const name of readdirSync(home)) {
    const pid = /^data\.new-(\d+)$/.exec(name)?.[1]
    if (!pid || isAlive(Number(pid))) continue
    try {
      rmSync(join(home, name), { recursive: true, force: true })
    } catch {
      // the killed start's initdb is still writing there: the next start clears it away
    }
  }
}

async function initialise(place: DatabaseLocation, native: string, folder: string, password: string): Promise<void> {
  const passwordFile = join(place.run, `password-${process.pid}`)
  writeFileSync(passwordFile, password, { mode: 0o600 })
  if (place.account) chownSync(passwordFile, place.account.uid, place.account.gid)
  const access = [`--username=${databaseName}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
  // The built-in locale sorts alike everywhere and knows every script. Trigram search also asks the system's character
  // type, which has another name on each system.
  const locale = [
    '--encoding=UTF8',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--lc-collate=C',
    '--lc-messages=C',
  ]
  try {
    for (const characters of ['C.UTF-8', 'en_US.UTF-8', 'C']) {
      const all = ['-D', folder, '--no-instructions', ...access, ...locale, `--lc-ctype=${characters}`]
      const failure = await runOnce(place, program(native, 'initdb'), all)
      if (!failure) return
      if (!failure.includes('invalid locale name'))
        throw new StartError(`The database could not be created in ${place.home}: ${failure}`)
    }
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

async function createDatabase(place: DatabaseLocation, native: string, folder: string): Promise<void> {
  const single = ['--single', '-D', folder, '-c', 'log_checkpoints=off', 'postgres']
  const failure = await runOnce(place, program(native, 'postgres'), single, `CREATE DATABASE ${databaseName}\n`)
  if (failure) throw new StartError(`The database could not be created in ${place.home}: ${failure}`)
}

/** Runs a program to its end. Resolves to nothing, or to the line it complained with. */
export function runOnce(
  place: DatabaseLocation,
  path: string,
  options: string[],
  input = '',
): Promise<string | undefined> {
  return new Promise((done) => {
    const child = spawn(path, options, {
      ...spawnIdentity(place.account),
      env: childEnvironment(),
      cwd: '/',
      stdio: 'pipe',
    })
    let complaints = ''
    child.stdout.resume()
    child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
    child.stdin.on('error', () => {}) // it may end without reading
    child.stdin.end(input)
    child.on('error', ({ message }) =>
      done(`${path} does not run here (${message}); DATABASE_URL can name another PostgreSQL`),
    )
    child.on('close', (code) => {
      // in single-user mode a failed statement does not make the exit code bad
      const complaint = /^.*(?:error|ERROR|FATAL|PANIC): .*$/m.exec(complaints)?.[0]
      done(complaint ?? (code === 0 ? undefined : complaints.trim() || `exit code ${code}`))
    })
  })
}
