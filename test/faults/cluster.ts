import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { setTimeout as pause } from 'node:timers/promises'
import { prepareBinaries } from '#server/db/embedded/binaries.ts'
import { databaseName, prepareCluster } from '#server/db/embedded/cluster.ts'
import { prepareLocation } from '#server/db/embedded/location.ts'
import { readPassword } from '#server/db/embedded/password.ts'
import { runPostmaster } from '#server/db/embedded/postmaster.ts'
import { isServing, listServers } from '#server/db/embedded/processes.ts'
import { accountsOf, prepareRoles } from '#server/db/embedded/roles.ts'
import { attachWatchdog } from '#server/db/embedded/watchdog.ts'
import { migrateDatabase } from '#server/db/migrate.ts'

type Connection = Parameters<typeof accountsOf>[0]

/** A PostgreSQL that scenarios stop, kill and start. Its settings are those of the console: nothing is less durable. */
export interface Cluster {
  /** A superuser. `host` is the folder of the unix socket, or an address. */
  connection: Connection & { host: string; port: number; database: string }
  /** The account of a console. */
  server: Connection
  start: () => Promise<void>
  /** Ends all its processes by SIGKILL. */
  kill: () => Promise<void>
  /** Shuts it down as an operator does, no matter who is connected. */
  stop: () => Promise<void>
  /** Stops it for good. */
  close: () => Promise<void>
}

/** Prepares a database of the bundled PostgreSQL under `dataDir`, and starts it. It ends with this process, however that ends. */
export async function startCluster(dataDir: string): Promise<Cluster> {
  const place = prepareLocation(dataDir, () => {})
  const native = prepareBinaries(place)
  const password = await readPassword(place.home)
  await prepareCluster(place, native, password)
  const watchdog = await attachWatchdog(place, native)
  const { signal } = new AbortController()
  const launch = { place, native, settings: {}, say: () => {}, signal }
  let running = await runPostmaster(launch)
  const end = async (pids: number[], name: NodeJS.Signals) => {
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // It had ended already.
      }
    while (pids.some((pid) => isServing(pid, place.cluster))) await pause(2)
  }
  const connection = { host: running.host, port: running.port, user: databaseName, password, database: databaseName }
  const findMain = () => [running.pid].filter((pid) => isServing(pid, place.cluster))
  const stop = () => end(findMain(), 'SIGINT')
  return {
    connection,
    server: { ...connection, ...accountsOf(connection).server },
    async start() {
      running = await runPostmaster({ ...launch, port: running.port })
    },
    kill: () => end([...new Set([...findMain(), ...listServers(place.cluster, place.account)])], 'SIGKILL'),
    stop,
    async close() {
      await watchdog.leave()
      await stop()
    },
  }
}

/** Makes a migrated database in `dataDir` and stops it, so that it can be copied. */
export async function makeTemplate(dataDir: string): Promise<void> {
  const cluster = await startCluster(dataDir)
  const { owner, server } = await prepareRoles(cluster.connection)
  await migrateDatabase(owner, { grantTo: server.user })
  await cluster.close()
}

/** A cold copy with owners and rights, as the manual says. */
export const copyFolder = async (from: string, to: string): Promise<void> =>
  void (await promisify(execFile)('cp', ['-a', from, to]))
