import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { spawnIdentity } from './account.ts'
import { prepareBinaries, program } from './binaries.ts'
import { databaseName, runOnce } from './cluster.ts'
import { StartError } from './errors.ts'
import type { DatabaseLocation } from './location.ts'
import { readPassword } from './password.ts'
import { accountsOf } from './roles.ts'
import { childEnvironment, serverSettings } from './server-settings.ts'

interface Recovery {
  place: DatabaseLocation
  /** A copy of a data folder, with the label of its base. */
  folder: string
  /** Holds the segments of the log under their names. */
  log: string
  /** Up to when. Undefined: as far as the log goes. */
  until: string | undefined
  say: (line: string) => void
}

/** The last transaction of a log that ends before the instant that was asked for. */
export class LogEndsError extends Error {
  readonly lastAt: string | undefined

  constructor(lastAt: string | undefined) {
    super('the log ends before that instant')
    this.lastAt = lastAt
  }
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** Gives everything below a folder to the account that runs the database. */
export async function giveTo({ account }: DatabaseLocation, folder: string): Promise<void> {
  if (!account) return
  await chown(folder, account.uid, account.gid)
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true }))
    await chown(join(entry.parentPath, entry.name), account.uid, account.gid)
}

/**
 * Plays the log into a copied data folder, up to an instant, and leaves a database that stands still and knows the
 * password of its new home. Throws LogEndsError, and StartError where PostgreSQL does not take the copy.
 */
export async function recoverCluster({ place, folder, log, until, say }: Recovery): Promise<void> {
  const native = prepareBinaries(place)
  const signalFile = join(folder, 'recovery.signal')
  await writeFile(signalFile, '', { mode: 0o600 })
  await giveTo(place, folder)
  await giveTo(place, log)
  const settings = {
    ...serverSettings(),
    listen_addresses: '',
    unix_socket_directories: place.run,
    hot_standby: 'off',
    archive_mode: 'off',
    logging_collector: 'off',
    log_min_messages: 'log',
    restore_command: `cp ${quote(log)}/%f "%p"`,
    recovery_target_action: 'promote',
    // The letter Z is not a zone yet when the server reads this.
    ...(until !== undefined && { recovery_target_time: until.replace('T', ' ').replace('Z', '+00') }),
  }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program(native, 'postgres'), ['-D', folder, ...flags], {
    ...spawnIdentity(place.account),
    env: childEnvironment(),
    cwd: '/',
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => (output = `${output}${chunk.toString()}`.slice(-20_000)))
  const ended = once(child, 'close').catch(() => {})
  child.once('error', ({ message }) => (output = `FATAL:  ${message}`))
  const isReady = () => /database system is ready to accept connections/.test(output)
  const slow = setTimeout(() => say('The log is played; this may take a while'), 5000)
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined
  while (!isOver() && !isReady()) await delay(20)
  clearTimeout(slow)
  if (!isOver()) child.kill('SIGINT')
  if (child.pid !== undefined) await ended
  if (!isReady()) throw explain(output)
  await setPassword(place, native, folder)
  await rm(signalFile, { force: true })
}

function explain(output: string): Error {
  if (output.includes('recovery ended before configured recovery target was reached'))
    return new LogEndsError(/last completed transaction was at log time (.+)/.exec(output)?.[1]?.trim())
  const reason = /(?:FATAL|PANIC): .*/.exec(output)?.[0] ?? output.trim().split('\n').at(-1)
  return new StartError(`PostgreSQL does not take the base and its log: ${reason}`)
}

/** The accounts have the passwords of the folder that the base was made of. */
async function setPassword(place: DatabaseLocation, native: string, folder: string): Promise<void> {
  const password = await readPassword(place.home)
  const { server } = accountsOf({ user: databaseName, password })
  const statements = [
    [databaseName, password],
    [server.user, server.password],
  ].map(([role, text]) => `ALTER ROLE ${role} PASSWORD '${text}'\n`)
  const single = ['--single', '-D', folder, '-c', 'log_checkpoints=off', databaseName]
  const failure = await runOnce(place, program(native, 'postgres'), single, statements.join(''))
  if (failure) throw new StartError(`The restored database could not be given its password: ${failure}`)
}
