import { setTimeout as pause } from 'node:timers/promises'
import type { MigrationMeta } from 'drizzle-orm/migrator'
import pg from 'pg'
import { SettingError } from '#server/core/config.ts'
import { sqlState } from '#server/lib/errors.ts'

export const migrationsTable = 'drizzle.__drizzle_migrations'

/** A migration that waits for a lock makes all later readers of the table wait as well. */
const lockTimeoutMs = 1000
/** Time in which those who waited meanwhile get their turn. */
const retryMs = 1500
/** What takes no longer is not told. */
const unsaidMs = 3000
/** How often what is waited for is named again. */
const sayEveryMs = 60_000

/** A lock was not to be had in time, or others held each other up with this migration. */
const conflicts = new Set(['55P03', '40P01'])

/** The first line of a migration whose statements run one by one, outside a transaction. */
const concurrentMark = '-- concurrently'

export interface MigrationWait {
  /** Informs the operator of what is waited for. */
  say: (line: string) => void
  /** How long all migrations of a start may wait for others. */
  seconds: number
  clock: MigrationClock
  /** By the clock. */
  endsAt: number
}

export interface MigrationClock {
  /** In milliseconds. */
  now(): number
  pause(ms: number): Promise<unknown>
}

const realClock: MigrationClock = { now: () => performance.now(), pause }

export const startWaiting = (say: MigrationWait['say'], seconds: number, clock = realClock): MigrationWait => ({
  say,
  seconds,
  clock,
  endsAt: clock.now() + seconds * 1000,
})

/**
 * Repeats `attempt` until it returns true. Says what it waits for after some seconds, and then every minute. Throws
 * SettingError when the time to wait is over.
 */
export async function waitFor(
  { say, seconds, clock, endsAt }: MigrationWait,
  attempt: () => Promise<boolean>,
  describe: () => Promise<string>,
  /** The pause doubles from here on. Short where an attempt holds nobody up. */
  firstRetryMs = retryMs,
): Promise<void> {
  // Several commands that start at once pass each other in less.
  let sayAt = clock.now() + unsaidMs
  for (let tries = 0; !(await attempt()); tries++) {
    if (clock.now() > sayAt) {
      sayAt = clock.now() + sayEveryMs
      say(`Waiting: ${await describe()}`)
    }
    if (clock.now() + retryMs > endsAt)
      throw new SettingError(
        `${await describe()}. That is still so after ${seconds} seconds: end what holds it up, or raise MIGRATION_WAIT_SECONDS`,
      )
    await clock.pause(Math.min(retryMs, firstRetryMs * 2 ** tries))
  }
}

/** Applies one migration, in one transaction unless it says otherwise. One that fails has changed nothing. */
export async function applyMigration(
  client: pg.Client,
  migration: MigrationMeta,
  waiting: MigrationWait,
): Promise<void> {
  if (isConcurrent(migration)) return applyConcurrently(client, migration, waiting)
  await waitFor(
    waiting,
    () => tryInTransaction(client, migration),
    async () => `the migration ${migration.name} needs a lock that ${await describeOldest(client)}`,
  )
}

export const isConcurrent = ({ sql }: Pick<MigrationMeta, 'sql'>): boolean =>
  sql[0]?.trimStart().split('\n', 1)[0]?.trim() === concurrentMark

async function tryInTransaction(client: pg.Client, migration: MigrationMeta): Promise<boolean> {
  await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`)
  try {
    for (const statement of migration.sql) await client.query(statement)
    await noteApplied(client, migration)
    await client.query('COMMIT')
    return true
  } catch (error) {
    await client.query('ROLLBACK')
    if (conflicts.has(sqlState(error) ?? '')) return false
    throw error
  }
}

/** Names the transaction that is open longest, which most likely holds the lock. Accounts with few rights see no name. */
async function describeOldest(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string | null; seconds: number }>(`
    SELECT pid, nullif(application_name, '') AS name, extract(epoch FROM now() - xact_start)::int AS seconds
    FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND xact_start IS NOT NULL
    ORDER BY xact_start LIMIT 1`)
  const [oldest] = rows
  if (!oldest) return 'another transaction holds'
  return `another transaction holds; the oldest is of ${oldest.name ?? 'an unnamed client'} (process ${oldest.pid}) and ${oldest.seconds} s old`
}

/** Readers and writers go on while an index is built. One that was broken off is built again at the next start. */
async function applyConcurrently(client: pg.Client, migration: MigrationMeta, { say }: MigrationWait): Promise<void> {
  const line = `The migration ${migration.name} works while calls are answered; it takes as long as the tables are large`
  const saying = setTimeout(() => say(line), unsaidMs)
  try {
    for (const statement of migration.sql) {
      const { verb, index } = readConcurrentStatement(migration.name, statement)
      const state = await readIndexState(client, index)
      if (verb === 'CREATE' && state === 'broken')
        await client.query(`DROP INDEX CONCURRENTLY ${pg.escapeIdentifier(index)}`)
      if (verb === 'CREATE' ? state !== 'whole' : state !== 'missing') await client.query(statement)
    }
  } finally {
    clearTimeout(saying)
  }
  await noteApplied(client, migration)
}

const concurrentForm = /^(?:(CREATE) (?:UNIQUE )?INDEX CONCURRENTLY|(DROP) INDEX CONCURRENTLY) "(\w+)"/

/** Throws for anything but an index that is built or dropped concurrently, as half of it may stand after a failure. */
export function readConcurrentStatement(name: string, statement: string): { verb: 'CREATE' | 'DROP'; index: string } {
  const text = statement.replaceAll(/^\s*--.*$/gm, '').trim()
  const found = concurrentForm.exec(text)
  if (!found || /;\s*\S/.test(text))
    throw new Error(
      `${name}: each statement of a migration that begins with "${concurrentMark}" must be CREATE [UNIQUE] INDEX CONCURRENTLY "name" … or DROP INDEX CONCURRENTLY "name"`,
    )
  return { verb: found[1] ? 'CREATE' : 'DROP', index: found[3]! }
}

async function readIndexState(client: pg.Client, index: string): Promise<'missing' | 'broken' | 'whole'> {
  const { rows } = await client.query<{ isWhole: boolean }>(
    `SELECT i.indisvalid AS "isWhole" FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
     WHERE c.relname = $1 AND c.relnamespace = 'public'::regnamespace`,
    [index],
  )
  if (!rows[0]) return 'missing'
  return rows[0].isWhole ? 'whole' : 'broken'
}

/** As drizzle's own migrator notes it. */
async function noteApplied(client: pg.Client, { hash, folderMillis, name }: MigrationMeta): Promise<void> {
  await client.query(`INSERT INTO ${migrationsTable} (hash, created_at, name) VALUES ($1, $2, $3)`, [
    hash,
    folderMillis,
    name,
  ])
}
