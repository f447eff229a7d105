import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { sql } from 'drizzle-orm'
import { textArray } from './parameters.ts'
import type { Database, Db, Tx } from './client.ts'

/** Another server goes on with the work. The transaction that throws this has written nothing. */
export class LeaseLostError extends Error {}

/** Work that this server does alone, until it gives it back or falls silent (docs/decisions/085). */
export interface Lease {
  /** Aborts when the lease is lost, or given back. */
  readonly signal: AbortSignal
  /** Throws LeaseLostError unless this server still has it. Nobody takes it over until the transaction ends. */
  check(tx: Tx): Promise<void>
  /** The database with transactions that begin with `check`. */
  guard(database: Database): Database
  /** Within a transaction it is given back when that commits. */
  release(tx?: Tx): Promise<void>
  /** Renews it no more and does not give it back: nobody gets it before it ends by itself. */
  leave(): void
}

/** A lease is renewed so many times before it would end. */
const renewals = 3

type LeaseDatabase = Pick<Database, 'db'>
type LeaseName = { name: string }

const ends = (seconds: number) => sql`now() + make_interval(secs => ${seconds})`

/**
 * Makes this server the only one that does the work of that name. Null while another one does. Anyone who is silent for
 * `seconds`, by the database's clock, has lost it. Within a transaction it is taken when that commits.
 */
export async function takeLease(
  { db }: LeaseDatabase,
  name: string,
  seconds: number,
  tx: Db | Tx = db,
): Promise<Lease | null> {
  const holder = randomUUID()
  const takenAt = performance.now()
  if (!(await insertLease(tx, name, holder, seconds)) && !(await takeOver(tx, name, holder, seconds))) return null
  return new HeldLease(db, { name, holder, seconds, takenAt })
}

/**
 * Makes a lease of each name that nobody holds and that may be taken over, which tells that there is work to be done.
 * One that is held is lost to its holder, and ends when it would have ended.
 */
export async function revokeLeases(tx: Tx, names: readonly string[]): Promise<void> {
  await tx.execute(sql`
    INSERT INTO leases (name, holder, server, held_until)
    SELECT DISTINCT name, gen_random_uuid(), '', now() FROM unnest(${textArray(names)}) AS name ORDER BY 1
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder`)
}

const serverName = () => `${hostname()} ${process.pid}`

async function insertLease(db: Db | Tx, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rows } = await db.execute<LeaseName>(sql`
    INSERT INTO leases (name, holder, server, held_until)
    SELECT ${name}, ${holder}::uuid, ${serverName()}, ${ends(seconds)}
    WHERE NOT EXISTS (SELECT FROM leases WHERE name = ${name}) ON CONFLICT DO NOTHING RETURNING name`)
  return rows.length === 1
}

/** The lock is stronger than that of an update, since `check` lets updates through: no writer is overtaken. */
async function takeOver(db: Db | Tx, name: string, holder: string, seconds: number): Promise<boolean> {
  const { rows } = await db.execute<LeaseName>(sql`
    WITH ended AS (SELECT name FROM leases WHERE name = ${name} AND held_until < now() FOR UPDATE SKIP LOCKED)
    UPDATE leases SET holder = ${holder}::uuid, server = ${serverName()}, held_until = ${ends(seconds)}
    FROM ended WHERE leases.name = ended.name RETURNING leases.name`)
  return rows.length === 1
}

interface LeaseHold {
  name: string
  holder: string
  seconds: number
  takenAt: number
}

class HeldLease implements Lease {
  readonly #db: Db
  readonly #held: LeaseHold
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout
  /** By this machine's clock, when the last successful renewal was asked for. */
  #renewedAt: number
  #isRenewing = false

  constructor(db: Db, held: LeaseHold) {
    this.#db = db
    this.#held = held
    this.#renewedAt = held.takenAt
    this.#timer = setInterval(() => void this.#renew(), (held.seconds * 1000) / renewals).unref()
  }

  get signal(): AbortSignal {
    return this.#lost.signal
  }

  async check(tx: Tx): Promise<void> {
    const { name, holder } = this.#held
    const { rows } = await tx.execute<LeaseName>(
      sql`SELECT name FROM leases WHERE name = ${name} AND holder = ${holder}::uuid FOR KEY SHARE`,
    )
    if (rows.length === 1) return
    this.#end()
    throw new LeaseLostError(`another server has taken over: ${name}`)
  }

  guard(database: Database): Database {
    return {
      ...database,
      transaction: (work) =>
        database.transaction(async (tx) => {
          await this.check(tx)
          return work(tx)
        }),
    }
  }

  leave(): void {
    this.#end()
  }

  async release(tx: Db | Tx = this.#db): Promise<void> {
    this.#end()
    const { name, holder } = this.#held
    // One that cannot be given back ends by itself.
    await tx.execute(sql`DELETE FROM leases WHERE name = ${name} AND holder = ${holder}::uuid`).catch(() => undefined)
  }

  /** A database that does not answer may have given the lease to another server by the time at which it ends. */
  async #renew(): Promise<void> {
    const { name, holder, seconds } = this.#held
    if (performance.now() - this.#renewedAt > seconds * 1000) this.#end()
    if (this.#isRenewing || this.signal.aborted) return
    this.#isRenewing = true
    const askedAt = performance.now()
    try {
      const { rows } = await this.#db.execute<LeaseName>(
        sql`UPDATE leases SET held_until = ${ends(seconds)}
          WHERE name = ${name} AND holder = ${holder}::uuid RETURNING name`,
      )
      if (rows.length === 1) this.#renewedAt = askedAt
      else this.#end()
    } catch {
      // It is tried again.
    } finally {
      this.#isRenewing = false
    }
  }

  #end(): void {
    clearInterval(this.#timer)
    this.#lost.abort()
  }
}
