import { execFile, spawn } from 'node:child_process'
import { chown, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { spawnIdentity } from '#server/db/embedded/account.ts'
import { prepareBinaries, program } from '#server/db/embedded/binaries.ts'
import { databaseName } from '#server/db/embedded/cluster.ts'
import { type DatabaseLocation, prepareLocation } from '#server/db/embedded/location.ts'
import { readPassword } from '#server/db/embedded/password.ts'
import { isServing, listServers } from '#server/db/embedded/processes.ts'
import { accountsOf } from '#server/db/embedded/roles.ts'
import { childEnvironment, serverSettings } from '#server/db/embedded/server-settings.ts'
import { attachWatchdog, type Watchdog } from '#server/db/embedded/watchdog.ts'
import { freePort } from '#test/support/free-port.ts'
import type { Cluster } from '#test/faults/cluster.ts'
import { waitUntil } from '#test/faults/scenario.ts'

type Connection = Cluster['connection']

/** One server of the pair, reached by TCP as in production. */
export class Node {
  readonly place: DatabaseLocation
  readonly connection: Connection
  readonly #native: string
  readonly #watchdog: Watchdog

  private constructor(place: DatabaseLocation, native: string, connection: Connection, watchdog: Watchdog) {
    this.place = place
    this.connection = connection
    this.#native = native
    this.#watchdog = watchdog
  }

  static async prepare(dataDir: string, password: string): Promise<Node> {
    const place = prepareLocation(dataDir, () => {})
    const native = prepareBinaries(place)
    const connection = {
      host: '127.0.0.1',
      port: await freePort(),
      user: databaseName,
      password,
      database: databaseName,
    }
    return new Node(place, native, connection, await attachWatchdog(place, native))
  }

  /** Resolves once it takes connections, as a standby too. */
  async start(): Promise<void> {
    const settings = {
      ...serverSettings(),
      listen_addresses: this.connection.host,
      port: String(this.connection.port),
      unix_socket_directories: '',
      shared_buffers: '64MB',
      // What a killed server has shared lies in its own folder, and goes with it.
      dynamic_shared_memory_type: 'mmap',
      wal_keep_size: '512MB',
      wal_receiver_status_interval: '1s',
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    spawn(program(this.#native, 'postgres'), ['-D', this.place.cluster, ...flags], {
      ...spawnIdentity(this.place.account),
      env: childEnvironment(),
      cwd: '/',
      detached: true,
      stdio: 'ignore',
    }).unref()
    await waitUntil('a server that answers', () =>
      this.query((client) => client.query('SELECT 1')).then(
        () => true,
        () => false,
      ),
    )
  }

  async query<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
    const client = new pg.Client(this.connection)
    client.on('error', () => {})
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end().catch(() => {})
    }
  }

  async end(name: NodeJS.Signals): Promise<void> {
    const pids = listServers(this.place.cluster, this.place.account)
    for (const pid of pids)
      try {
        process.kill(pid, name)
      } catch {
        // It had ended already.
      }
    while (pids.some((pid) => isServing(pid, this.place.cluster))) await pause(2)
    // A killed one leaves its mark, which a start would take for a server.
    await rm(join(this.place.cluster, 'postmaster.pid'), { force: true })
  }

  async close(): Promise<void> {
    await this.#watchdog.leave()
    await this.end('SIGQUIT')
  }

  /** Makes this folder a standby of a running server, as the manual's low-level backup does it. */
  async copyFrom(primary: Node): Promise<void> {
    const { cluster, account } = this.place
    await primary.query(async (client) => {
      await client.query(`SELECT pg_backup_start('standby', true)`)
      await rm(cluster, { recursive: true, force: true })
      // Files that vanish meanwhile are in the log that the standby replays.
      await promisify(execFile)('cp', ['-a', primary.place.cluster, cluster]).catch(() => {})
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)')
      await writeFile(join(cluster, 'backup_label'), rows[0]!.labelfile)
    })
    await rm(join(cluster, 'postmaster.pid'), { force: true })
    for (const name of await readdir(join(cluster, 'pg_wal')))
      await rm(join(cluster, 'pg_wal', name), { recursive: true, force: true })
    await mkdir(join(cluster, 'pg_wal', 'archive_status'))
    const { host, port, user, password } = primary.connection
    await writeFile(
      join(cluster, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=${host} port=${port} user=${user} password=${password} application_name=standby'\n`,
    )
    await writeFile(join(cluster, 'standby.signal'), '')
    const own = ['backup_label', 'pg_wal/archive_status', 'postgresql.auto.conf', 'standby.signal']
    if (account) for (const name of own) await chown(join(cluster, name), account.uid, account.gid)
  }
}

/** Two servers of which one is the primary and the other its standby. As a cluster it is the primary of the moment. */
export interface Pair extends Cluster {
  /** Both, in the order of `url`. */
  nodes: readonly Node[]
  /** `postgres://…@a,b/app`, for a console. */
  url: string
  /** Makes commits wait for the standby, or not. */
  setSynchronous: (isOn: boolean) => Promise<void>
  /** Kills the primary by SIGKILL. */
  killPrimary: () => Promise<void>
  /** The standby becomes the primary. */
  promote: () => Promise<void>
  /** The killed server becomes the standby of the present primary. */
  rejoin: () => Promise<void>
  /** Stops or goes on replaying and receiving on the standby. */
  standby: <Result>(work: (client: pg.Client) => Promise<Result>) => Promise<Result>
}

const replication = `SELECT sync_state AS state FROM pg_stat_replication WHERE state = 'streaming'`

/** Starts a pair on the database in `dataDir`, and a second folder beside it. It ends with this process, however that ends. */
export async function startPair(dataDir: string): Promise<Pair> {
  const password = await readPassword(prepareLocation(dataDir, () => {}).home)
  let primary = await Node.prepare(dataDir, password)
  let standby = await Node.prepare(`${dataDir}-standby`, password)
  await primary.start()
  const waitForStandby = (state: 'async' | 'sync') =>
    waitUntil(`a standby that is ${state}`, async () => {
      const { rows } = await primary.query((client) => client.query<{ state: string }>(replication))
      return rows.some((row) => row.state === state)
    })
  const rejoin = async () => {
    await standby.copyFrom(primary)
    await standby.start()
    await waitForStandby('async')
  }
  await rejoin()
  const first = primary.connection
  const account = accountsOf(first).server
  const nodes = [primary, standby]
  const hosts = nodes.map(({ connection }) => `${connection.host}:${connection.port}`)
  return {
    nodes,
    url: `postgres://${account.user}:${encodeURIComponent(account.password)}@${hosts.join(',')}/${databaseName}?target_session_attrs=read-write`,
    get connection() {
      return primary.connection
    },
    get server() {
      return { ...primary.connection, ...account }
    },
    start: () => primary.start(),
    kill: () => primary.end('SIGKILL'),
    stop: () => primary.end('SIGINT'),
    async setSynchronous(isOn) {
      await primary.query(async (client) => {
        await client.query(`ALTER SYSTEM SET synchronous_standby_names = '${isOn ? '*' : ''}'`)
        await client.query('SELECT pg_reload_conf()')
      })
      await waitForStandby(isOn ? 'sync' : 'async')
    },
    killPrimary: () => primary.end('SIGKILL'),
    async promote() {
      await standby.query(async (client) => {
        // The one that died is away, and no commit may wait for it.
        await client.query('SELECT pg_promote()')
      })
      ;[primary, standby] = [standby, primary]
    },
    rejoin,
    standby: (work) => standby.query(work),
    async close() {
      await Promise.all([primary.close(), standby.close()])
    },
  }
}
