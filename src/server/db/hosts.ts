import pg from 'pg'
import { nameHost } from '#server/lib/database-url.ts'
import { sqlState } from '#server/lib/errors.ts'

/** A server of this network answers at once, or is not there. */
const probeMs = 1500
/** So long a server that took writes is asked again without looking whether it still does. */
const trustedMs = 2000

/** SQL: whether this session can write nothing: on a standby, or where the server or the role is read-only. */
export const isReadOnlySql = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only')::bool AS "isReadOnly"`

/** No server takes writes. It counts as a database that is away, since one of them may be promoted soon. */
export class NoPrimaryError extends Error {
  override readonly name = 'NoPrimaryError'
  /** cannot_connect_now. */
  readonly code = '57P03'
}

const describeFailure = (error: unknown): string =>
  error instanceof NoPrimaryError
    ? error.message
    : error instanceof Error
      ? error.message || String((error as { code?: unknown }).code)
      : String(error)

/** Connects to one host, and resolves if it takes writes. */
async function probe(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
    application_name: 'back-office primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ isReadOnly: boolean }>(isReadOnlySql)
    if (rows[0]!.isReadOnly) throw new NoPrimaryError('takes no writes')
    return url
  } finally {
    void client.end().catch(() => {})
  }
}

/** Finds which of several hosts takes writes. All connections to them share one. */
export class HostFinder {
  readonly #urls: readonly string[]
  #found: { url: string; at: number } | undefined
  #finding: Promise<string> | undefined

  constructor(urls: readonly string[]) {
    this.#urls = urls
  }

  /**
   * The URL of the host that takes writes. Asks all at once, since one that has vanished answers nothing. Throws
   * NoPrimaryError, and where all refuse the account or the database, that error.
   */
  async find(): Promise<string> {
    if (this.#found && performance.now() - this.#found.at < trustedMs) return this.#found.url
    this.#finding ??= this.#ask().finally(() => (this.#finding = undefined))
    return this.#finding
  }

  /** A connection to the host that was found failed. */
  forget(): void {
    this.#found = undefined
  }

  async #ask(): Promise<string> {
    try {
      const url = await Promise.any(this.#urls.map(probe))
      this.#found = { url, at: performance.now() }
      return url
    } catch (error) {
      this.forget()
      throw this.#explain((error as AggregateError).errors as unknown[])
    }
  }

  #explain(errors: readonly unknown[]): unknown {
    const refusal = errors.find((error) => /^(28|3D)/.test(sqlState(error) ?? ''))
    if (refusal && errors.every((error) => error instanceof NoPrimaryError || sqlState(error))) return refusal
    const each = errors.map((error, at) => `${nameHost(this.#urls[at]!)}: ${describeFailure(error)}`)
    return new NoPrimaryError(`no host takes writes (${each.join('; ')})`)
  }
}
