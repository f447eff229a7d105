import { spawn } from 'node:child_process'
import { closeSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { freePort } from '#server/lib/free-port.ts'
import { spawnIdentity } from './account.ts'
import { program, removeOtherCopies } from './binaries.ts'
import { readErrorCode, StartError } from './errors.ts'
import { explainFileErrors } from './folders.ts'
import type { DatabaseLocation } from './location.ts'
import { isAlive, isServing, listServers } from './processes.ts'
import { childEnvironment, serverSettings } from './server-settings.ts'

/** Where PostgreSQL writes before its own log begins. */
const openStartLog = ({ home }: DatabaseLocation): string => join(home, 'postgres.log')

/** The last reason that the server gave for ending: in its own log, or earlier in the start log. */
function readLastError(place: DatabaseLocation): string | undefined {
  const current = read(join(place.cluster, 'current_logfiles')).split(/\s/)[1]
  return findErrorLine(openStartLog(place)) ?? (current && findErrorLine(join(place.cluster, current)))
}

function findErrorLine(file: string): string | undefined {
  const lines = read(file).trimEnd().split('\n').slice(-100)
  return lines
    .map((line) => /(?:FATAL|PANIC|error): .*$/.exec(line)?.[0])
    .findLast((complaint) => complaint !== undefined)
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** A running server. Adopted if another console started it. */
export interface Postmaster {
  pid: number
  host: string
  port: number
  isAdopted: boolean
}

export interface LaunchOptions {
  place: DatabaseLocation
  native: string
  settings: Record<string, string>
  /** The TCP port of an earlier start, to reuse if sockets cannot be used. */
  port?: number
  say: (line: string) => void
  /** Aborted when the console stops. No further start is tried. */
  signal: AbortSignal
}

// Recovery after a crash takes seconds, longer on a slow disk. Do not give up such a server.
const startTimeoutMs = 5 * 60_000

/** Adopts the running server of this location, or starts one. Of several at once, one starts and the others adopt. */
export async function runPostmaster(options: LaunchOptions): Promise<Postmaster> {
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(options)
    if (running) return running
    try {
      return await launch(options)
    } catch (error) {
      if (attempt === 3 || options.signal.aborted) throw error
      await delay(100 + Math.random() * 200) // most likely another start was faster: look again
    }
  }
}

/** Waits for the end of a stopping server. Asks again, and after a minute forces it. */
export async function waitUntilGone({ cluster }: DatabaseLocation, pid: number): Promise<void> {
  const isThere = () => [pid, readPidFile(cluster)?.pid ?? 0].filter((each) => isServing(each, cluster))
  for (const server of isThere()) signalServer(server, 'SIGINT')
  for (const end = Date.now() + 60_000; isThere().length > 0; await delay(10)) {
    if (Date.now() > end) for (const server of isThere()) signalServer(server, 'SIGQUIT')
  }
}

function signalServer(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (readErrorCode(error) !== 'ESRCH') throw error
  }
}

/** The running server of this location once it is ready, or null. Removes what a crash left. */
async function findRunning({
  place: { cluster, run, account },
  say,
  signal,
}: LaunchOptions): Promise<Postmaster | null> {
  const slow = announceSlowStart(say, 'The database is still starting or stopping; waiting for it')
  try {
    for (const end = Date.now() + startTimeoutMs; ; await delay(20)) {
      signal.throwIfAborted()
      const noted = readPidFile(cluster)
      if (noted && isServing(noted.pid, cluster)) {
        if (noted.isReady) return { ...readAddress(noted), isAdopted: true }
      } else if (listServers(cluster, account).length === 0) {
        // PostgreSQL would trust a pid file whose pid now belongs to another process, and never start again.
        if (noted && isAlive(noted.pid)) rmSync(join(cluster, 'postmaster.pid'), { force: true })
        for (const name of readdirSync(run)) if (name.startsWith('.s.PGSQL.')) rmSync(join(run, name), { force: true })
        return null
      }
      if (Date.now() > end)
        throw new StartError(`A PostgreSQL in ${cluster} is neither ready nor gone: see its log folder.`)
    }
  } finally {
    clearTimeout(slow)
  }
}

async function launch({ place, native, settings, port, say }: LaunchOptions): Promise<Postmaster> {
  removeOtherCopies(place, native)
  const log = openStartLog(place)
  const all = { ...serverSettings(), ...(await listenSettings(place.run, port)), ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const output = explainFileErrors(log, () => openSync(log, 'w', 0o600))
  const child = spawn(program(native, 'postgres'), ['-D', place.cluster, ...flags], {
    ...spawnIdentity(place.account),
    env: childEnvironment(),
    cwd: '/',
    detached: true, // Ctrl-C must not reach it before the console has drained
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  let ending: string | undefined
  child.once('error', (error) => (ending = error.message))
  child.once('exit', (code, signal) => (ending = `it ended with ${signal ?? code}`))
  const slow = announceSlowStart(say, 'The database is recovering from a crash; this may take a while')
  try {
    for (const end = Date.now() + startTimeoutMs; ; await delay(5)) {
      if (ending) {
        throw new StartError(
          `PostgreSQL does not start: ${readLastError(place) ?? ending} (see ${log} and ${place.cluster}/log)`,
        )
      }
      const noted = readPidFile(place.cluster)
      if (noted?.isReady && (noted.pid === child.pid || process.platform === 'win32')) {
        child.unref()
        return { ...readAddress(noted), isAdopted: false }
      }
      if (Date.now() > end)
        throw new StartError(`PostgreSQL in ${place.cluster} was not ready in time: see its log folder.`)
    }
  } finally {
    clearTimeout(slow)
  }
}

/** A socket in a private folder. If its path is too long for the system, a free local port. */
async function listenSettings(run: string, port: number | undefined): Promise<Record<string, string>> {
  const longest = process.platform === 'linux' ? 107 : process.platform === 'win32' ? 0 : 103
  if (Buffer.byteLength(join(run, '.s.PGSQL.5432')) <= longest) {
    return { listen_addresses: '', unix_socket_directories: run, unix_socket_permissions: '0700', port: '5432' }
  }
  return { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: String(port ?? (await freePort())) }
}

interface PidFile {
  pid: number
  port: number
  socketFolder: string
  isReady: boolean
}

function readPidFile(cluster: string): PidFile | null {
  try {
    const [pid, , , port, socketFolder = '', , , status = ''] = readFileSync(
      join(cluster, 'postmaster.pid'),
      'utf8',
    ).split('\n')
    return { pid: Number(pid), port: Number(port), socketFolder, isReady: status.trim() === 'ready' }
  } catch {
    return null
  }
}

function readAddress({ pid, port, socketFolder }: PidFile): Omit<Postmaster, 'isAdopted'> {
  return { pid, port, host: socketFolder || '127.0.0.1' }
}

function announceSlowStart(say: (line: string) => void, line: string): NodeJS.Timeout {
  return setTimeout(() => say(line), 5000)
}
