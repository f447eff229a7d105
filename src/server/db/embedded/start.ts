import { prepareBinaries } from './binaries.ts'
import { databaseName, prepareCluster } from './cluster.ts'
import { readPassword } from './password.ts'
import { prepareLocation } from './location.ts'
import { runPostmaster, waitUntilGone } from './postmaster.ts'
import { supervise } from './supervise.ts'
import { prepareSpool, type WalSpool } from './wal-spool.ts'
import { attachWatchdog } from './watchdog.ts'

export interface EmbeddedPostgres {
  /** `host` is the folder of the unix socket, or 127.0.0.1 where sockets cannot be used. Stays the same over restarts. */
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

/** Starts the bundled PostgreSQL under `dataDir`, or joins the one that runs there, and keeps it running. Throws StartError. */
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
