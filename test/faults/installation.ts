import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '#test/support/free-port.ts'
import { buildDatabaseUrl } from '#test/support/console-process.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import { buildSecret } from '#test/support/sign-result.ts'
import { type Cluster, startCluster } from './cluster.ts'
import { type ConsoleProcess, runAdmin, startConsole } from './console.ts'
import { Intentions } from './intentions.ts'
import { addSessions, type SeededTargets, seedTargets } from './seed.ts'
import { addCallers, openServices } from './services.ts'
import type { Workspace } from './workspace.ts'

const resultSecret = buildSecret(9)
/** Longer than the lease of a message that a killed server was sending. */
const settleMs = 150_000

export interface InstallationOptions {
  /** How many entities of each kind are there to be changed. */
  targets?: number
  operators?: number
  /** Kinds of entities that are not changed. */
  without?: readonly (keyof SeededTargets)[]
  /** Whether the console starts and keeps its database itself. */
  isEmbedded?: boolean
  /** Starts the database, if not as one server. `url`: how a console reaches it. */
  openCluster?: (dataDir: string) => Promise<Cluster & { url: string }>
  /** Where the data folder is made, if not in the workspace. */
  parent?: string
  /** Settings that replace ours. `server` is the account of the console. */
  environment?: (connection: Cluster['connection'], server: Cluster['server']) => Promise<Record<string, string>>
  preload?: string[]
}

/** A console on a PostgreSQL of its own, with clients' credentials and an endpoint that takes its events. */
export interface Installation {
  cluster: Cluster
  dataDir: string
  /** What the server logged of requests that failed without a reason. */
  faults: string[]
  readonly console: ConsoleProcess
  /** The address that stays the same over all starts. */
  origin: string
  cookies: string[]
  intentions: Intentions
  endpoint: Awaited<ReturnType<typeof startFakeProvider>>
  /** Starts the console again after it ended. */
  restart: () => Promise<void>
  /** Starts another console on the same database. Anyone who starts it stops it. */
  startAnother: (port: number, environment?: Record<string, string>) => Promise<ConsoleProcess>
  /** Runs `work` with a superuser's connection. */
  query: <Result>(work: (client: pg.Client) => Promise<Result>) => Promise<Result>
  /** Waits until nothing is under way: no transaction, no unsealed audit row, no message to be sent. */
  settle: () => Promise<void>
  /** `npm run admin -- audit verify`. */
  verifyAudit: () => Promise<{ code: number | null; text: string }>
  close: () => Promise<void>
}

const connect = async (connection: pg.ClientConfig) => {
  const client = new pg.Client(connection)
  client.on('error', () => {})
  await client.connect()
  return client
}

const openWork = `SELECT
  (SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'back-office%' AND state NOT IN ('idle', 'disabled'))::int AS transactions,
  (SELECT count(*) FROM audit_log AS a WHERE NOT EXISTS (SELECT FROM audit_chain AS c WHERE c.audit_id = a.id))::int AS unsealed,
  (SELECT count(*) FROM messages WHERE direction = 'out' AND state IN ('waiting', 'sending'))::int AS unsent`

/** Waits until nothing is under way. Throws where that takes longer than a lease. */
async function waitForSettled(client: pg.Client): Promise<void> {
  for (const end = performance.now() + settleMs; ; await pause(200)) {
    const { rows } = await client.query<Record<string, number>>(openWork)
    const left = Object.entries(rows[0]!).filter(([, count]) => count > 0)
    if (left.length === 0) return
    if (performance.now() > end)
      throw new Error(`still under way: ${left.map(([what, count]) => `${count} ${what}`).join(', ')}`)
  }
}

interface Callers {
  cookies: string[]
  intentions: Intentions
}

/** Makes what clients need, and what they change. */
async function prepareCallers(
  cluster: Cluster,
  environment: Record<string, string>,
  { targets = 600, operators = 1, without = [] }: InstallationOptions,
): Promise<Callers> {
  const usernames = Array.from({ length: operators }, (_, n) => `operator-${n + 1}`)
  const services = openServices(cluster.connection, environment)
  const platformKey = await addCallers(services, usernames)
  await services.database.close()
  const client = await connect(cluster.connection)
  const cookies = await addSessions(client, usernames, environment.PORT!)
  const given = await seedTargets(client, targets)
  await client.query('ANALYZE')
  await client.end()
  for (const kind of without) given[kind] = []
  return { cookies, intentions: new Intentions(given, { cookie: cookies[0]!, platformKey, resultSecret }) }
}

/** Where the console keeps its files and finds its database. An embedded one has both in one folder. */
async function placeConsole(
  { connection, server, url }: Cluster & { url?: string },
  dataDir: string,
  isEmbedded: boolean,
): Promise<Record<string, string> & { DATA_DIR: string }> {
  if (isEmbedded) return { DATA_DIR: dataDir }
  const { host, port, database } = connection
  const folder = join(dataDir, 'console')
  await mkdir(folder)
  return { DATA_DIR: folder, DATABASE_URL: url ?? buildDatabaseUrl({ ...server, host, port }, database) }
}

export async function startInstallation(
  workspace: Workspace,
  options: InstallationOptions = {},
): Promise<Installation> {
  const { isEmbedded = false, environment: replace, preload = [], parent } = options
  const dataDir = await workspace.makeDataFolder(parent)
  const cluster = await (options.openCluster ?? startCluster)(dataDir)
  const endpoint = await startFakeProvider()
  const port = await freePort()
  const place = await placeConsole(cluster, dataDir, isEmbedded)
  const environment = {
    ...place,
    PORT: String(port),
    // Another console on the same database is reached by the same address.
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DEMO: 'off',
    CHAIN_MODE: 'off',
    SESSION_NETWORK: 'off',
    LOG_LEVEL: 'error',
    KYC_WEBHOOK_SECRET: resultSecret,
    PLATFORM_WEBHOOK_URL: endpoint.url,
    PLATFORM_WEBHOOK_SECRET: endpoint.secret,
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...(await replace?.(cluster.connection, cluster.server)),
  }
  const { cookies, intentions } = await prepareCallers(cluster, environment, options)
  if (isEmbedded) await cluster.close()
  const faults: string[] = []
  async function start(more: Record<string, string> = {}): Promise<ConsoleProcess> {
    const all = { ...environment, ...more }
    const started = await startConsole({ environment: all, preload, onFault: (line) => faults.push(line) })
    return Object.assign(started, { url: `http://127.0.0.1:${all.PORT}` })
  }
  let console = await start()
  const query = async <Result>(work: (client: pg.Client) => Promise<Result>) => {
    const client = await connect(cluster.connection)
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }
  return {
    cluster,
    dataDir,
    faults,
    get console() {
      return console
    },
    origin: `http://127.0.0.1:${port}`,
    cookies,
    intentions,
    endpoint,
    async restart() {
      console = await start()
    },
    startAnother: (other, more = {}) => start({ PORT: String(other), ...more }),
    query,
    settle: () => query(waitForSettled),
    // Not through a proxy that the console may have before its database.
    verifyAudit: () => runAdmin(['audit', 'verify'], { ...place, LOG_LEVEL: 'fatal' }),
    async close() {
      if (console.isRunning()) await console.stop()
      if (!isEmbedded) await cluster.close()
      await endpoint.close()
    },
  }
}
