import { callbackify } from 'node:util'
import pg from 'pg'
import { splitHosts } from '#server/lib/database-url.ts'
import { HostFinder } from './hosts.ts'

/** How a connection to the database is opened. */
export interface Connection extends pg.ClientConfig {
  /**
   * A pooler gives each transaction any of its own connections. So nothing may be asked of the session: neither
   * settings at its start, nor locks, notifications and temporary tables.
   */
  isPooled?: boolean | undefined
  /** `false` sends all statements without names. */
  hasNamedStatements?: boolean | undefined
  /** Which of several hosts takes writes. The URL of the connection then names the first of them. */
  hosts?: HostFinder | undefined
}

/** A connection by a setting, which may name several hosts. */
export function readUrl(url: string): Connection {
  const urls = splitHosts(url)
  return { connectionString: urls[0]!, ...(urls.length > 1 && { hosts: new HostFinder(urls) }) }
}

/** Limits of statements that calls and jobs run, in milliseconds. */
export const timeouts = {
  statement_timeout: 15_000,
  lock_timeout: 5000,
  idle_in_transaction_session_timeout: 30_000,
} as const

/**
 * Session settings that the code relies on, whatever the server's defaults: ISO dates in UTC. And one process per statement:
 * many operators search at once, and parallel workers made a search 15 % faster for twice the work. No memos of joined rows:
 * PostgreSQL makes their tables as large as the whole list could need, which took a quarter of the time of a page of 50 rows.
 */
export const sessionSettings: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  DateStyle: 'ISO,MDY',
  IntervalStyle: 'postgres',
  max_parallel_workers_per_gather: '0',
  enable_memoize: 'off',
}

/** A role may have timeouts of its own for a pooler, so those that a connection does not name are switched off. */
const listTimeouts = (connection: Connection) =>
  Object.keys(timeouts).map((name) => `-c ${name}=${Number(connection[name as keyof typeof timeouts]) || 0}`)

function addSettings(options: string | null | undefined, connection: Connection): string {
  const settings = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`)
  return [options, ...settings, ...listTimeouts(connection)].filter(Boolean).join(' ')
}

/** The connection with our session settings, after its own options. A pooled one has those of its role. */
export function withSessionSettings<T extends Connection>(connection: T): T {
  if (connection.isPooled) return connection
  if (!connection.connectionString) return { ...connection, options: addSettings(connection.options, connection) }
  // Options in a URL override those beside it, so ours must go into the URL.
  const url = new URL(connection.connectionString)
  url.searchParams.set('options', addSettings(url.searchParams.get('options') ?? connection.options, connection))
  return { ...connection, connectionString: url.href }
}

/** A connection to the database: of several hosts to the one that takes writes. */
export class DatabaseClient extends pg.Client {
  readonly #hosts: HostFinder | undefined

  constructor(connection: Connection = {}) {
    super(connection)
    this.#hosts = connection.hosts
    // The overloads differ in their arguments alone, which are passed on.
    if (connection.hasNamedStatements === false) this.query = withoutNames(this.query.bind(this)) as typeof this.query
  }

  override connect(): Promise<this>
  override connect(callback: (error: Error) => void): void
  override connect(callback?: (error: Error) => void): Promise<this> | void {
    const connecting = this.#hosts ? this.#connectToPrimary(this.#hosts) : super.connect()
    if (!callback) return connecting as Promise<this>
    callbackify(() => connecting)(callback)
  }

  async #connectToPrimary(hosts: HostFinder): Promise<this> {
    const { hostname, port } = new URL(await hosts.find())
    Object.assign(this as unknown as ServerAddress, { host: decodeURIComponent(hostname), port: Number(port || 5432) })
    try {
      await super.connect()
      return this
    } catch (error) {
      hosts.forget()
      throw error
    }
  }
}

/** What a client reads when it connects, and its types declare as constant. */
interface ServerAddress {
  host: string
  port: number
}

const withoutNames =
  (query: (...given: unknown[]) => unknown) =>
  (statement: unknown, ...rest: unknown[]): unknown =>
    query(isNamed(statement) ? { ...statement, name: undefined } : statement, ...rest)

// A query object of pg submits itself.
const isNamed = (statement: unknown): statement is pg.QueryConfig =>
  typeof statement === 'object' && statement !== null && 'name' in statement && !('submit' in statement)
