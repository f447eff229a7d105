import { setTimeout as delay } from 'node:timers/promises'
import { join } from 'node:path'
import { prepareBinaries } from './binaries.ts'
import { databaseName, prepareCluster } from './cluster.ts'
import { readPassword } from './password.ts'
import { prepareLocation, type DatabaseLocation } from './location.ts'
import { runPostmaster, waitUntilGone, type LaunchOptions, type Postmaster } from './postmaster.ts'
import { attachWatchdog } from './watchdog.ts'
import { isServing } from './processes.ts'
import { makePrivateFolder } from './folders.ts'

/** Where the server puts each finished segment of its log, until the console has taken it away. */
interface WalSpool {
  folder: string
  /** The data folder, of which bases are copied. */
  cluster: string
}

/** A segment that nothing fills is finished after so long: what may be missing of an archive. */
const segmentSeconds = 60

/** Makes the folder, and says what to tell the server. `basic_archive` is part of PostgreSQL and needs no shell. */
function prepareSpool({ home, cluster, account }: DatabaseLocation): {
  spool: WalSpool
  settings: Record<string, string>
} {
  const folder = join(home, 'wal-spool')
  makePrivateFolder(folder, account)
  return {
    spool: { folder, cluster },
    settings: {
      archive_mode: 'on',
      archive_library: 'basic_archive',
      'basic_archive.archive_directory': folder,
      archive_timeout: `${segmentSeconds}s`,
    },
  }
}

const pollMs = 200
const longestPauseMs = 30_000
const healthyMs = 60_000

/** Keeps the server running until `options.signal`: restarts it when it dies, with growing pauses. */
function supervise(first: Postmaster, options: LaunchOptions) {
  const { place, say, signal } = options
  const listeners: (() => void)[] = []
  let current = first
  let since = Date.now()
  let failures = 0

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      if (isServing(current.pid, place.cluster)) await pause(pollMs)
      else await recover()
    }
  }

  async function recover(): Promise<void> {
    say('The database stopped unexpectedly; starting it again')
    for (const listener of listeners) listener()
    if (Date.now() - since > healthyMs) failures = 0
    for (; !signal.aborted; failures++) {
      await pause(failures === 0 ? 0 : Math.min(500 * 2 ** failures, longestPauseMs))
      try {
        current = await runPostmaster({ ...options, port: current.port })
        since = Date.now()
        failures++ // until it has been steady for a while
        return say('The database runs again')
      } catch (error) {
        if (!signal.aborted) say(error instanceof Error ? error.message : String(error))
      }
    }
  }

  // Does not keep the process alive, and ends at once when the console stops.
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {})

  return {
    pid: () => current.pid,
    onExit: (callback: () => void) => void listeners.push(callback),
    /** Resolves after the signal, once no start is under way. */
    ended: keepRunning(),
  }
}

export interface EmbeddedPostgres {
  /** `host` is the folder of the unix socket, or 127.0.0.1 where sockets cannot be used. Restarts keep it. */
  connection: { host: string; port: number; user: string; password: string; database: string }
  /** The server process; another one after a restart. */
  readonly pid: number
  /** Whether another console on the same `DATA_DIR` had already started the server. */
  adopted: boolean
  /** Where its log is archived to, if it was asked to. */
  spool: WalSpool | undefined
  /** Leaves the server; shuts it down when no other console uses it. Close the pool first. */
  stop(): Promise<void>
  /** Calls back whenever the server has died without being asked to; it is then started again. */
  onExit(callback: () => void): void
}

export interface StartOptions {
  /** The setting `DATA_DIR` as an absolute path; made when missing. */
  dataDir: string
  /** Tells the operator what is done and where. */
  say: (line: string) => void
  /** Whether the log is archived. A server that another console has started is taken as it is. */
  isArchiving?: boolean
  /** PostgreSQL settings that replace ours, for tests. */
  settings?: Record<string, string>
}

/** `pg` reads libpq's variables, such as PGSSLMODE. Those of the operator's shell are meant for another server. */
function forgetShellSettings(): void {
  for (const name of Object.keys(process.env)) if (/^PG[A-Z]/.test(name)) delete process.env[name]
}

/** Starts the bundled PostgreSQL under `dataDir`, or joins the running one, and keeps it running. Throws StartError. */
export async function startEmbeddedPostgres({
  dataDir,
  say,
  isArchiving = false,
  settings = {},
}: StartOptions): Promise<EmbeddedPostgres> {
  forgetShellSettings()
  const place = prepareLocation(dataDir, say)
  const native = prepareBinaries(place)
  const password = await readPassword(place.home)
  await prepareCluster(place, native, password)
  const archiving = isArchiving ? prepareSpool(place) : undefined
  const watchdog = await attachWatchdog(place, native)
  const stopping = new AbortController()
  const launch = { place, native, settings: { ...archiving?.settings, ...settings }, say, signal: stopping.signal }
  const first = await runPostmaster(launch).catch(async (error: unknown) => {
    await watchdog.leave()
    throw error
  })
  const supervisor = supervise(first, launch)
  let stopped: Promise<void> | undefined

  async function stop(): Promise<void> {
    stopping.abort()
    const wasLast = await watchdog.leave()
    await supervisor.ended
    if (wasLast) await waitUntilGone(place, supervisor.pid())
  }

  return {
    connection: { host: first.host, port: first.port, user: databaseName, password, database: databaseName },
    get pid() {
      return supervisor.pid()
    },
    adopted: first.isAdopted,
    spool: archiving?.spool,
    onExit: supervisor.onExit,
    stop: () => (stopped ??= stop()),
  }
}
