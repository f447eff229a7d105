import pg from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { SettingError } from '#server/core/config.ts'
import { buildDatabaseUrl, newDatabaseName } from '#test/support/console-process.ts'
import { holdLock } from '#test/support/held-lock.ts'
import { holdTimers } from '#test/support/held-timers.ts'
import { startPgBouncer } from '#test/support/pgbouncer.ts'
import { listRoleSettings } from '#test/support/pooled-database.ts'
import { runAdmin } from '#test/faults/console.ts'
import { connectPool } from './client.ts'
import {
  isPooledByTransaction,
  requireNamedStatements,
  requirePooledSettings,
  requireSamePlace,
  requireSessions,
} from './pooler.ts'
import { findCluster, findPgBouncer } from '#test/support/cluster.ts'

const { postgres, serverAccount } = findCluster()
const database = newDatabaseName('pooled')
const direct = { ...postgres, ...serverAccount, database }
const pooled = { ...direct, ...findPgBouncer(), isPooled: true }
/** As a console connects that knows of no pooler, where the pooler takes what it sends. */
const ignores = 'options, statement_timeout, lock_timeout, idle_in_transaction_session_timeout'
const maintenance = new pg.Client(postgres)

beforeAll(async () => {
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${database}`)
})
afterAll(() => maintenance.end())

/** The message of the SettingError with which it ends. */
const refusal = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => expect.fail('it was not refused'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(SettingError)
      return (error as Error).message
    },
  )

async function openBouncer(mode: 'transaction' | 'session') {
  const bouncer = await startPgBouncer(direct, { database, mode, ignores })
  onTestFinished(() => bouncer.close())
  const { host, port } = bouncer
  return { ...direct, host, port }
}

test('a server without a pooler is not taken for one', async () => {
  expect(await isPooledByTransaction(direct, 'DATABASE_URL')).toBe(false)
})

test('statements without names find themselves in pg_stat_activity by their text', async () => {
  const timers = holdTimers(20_000)
  const pool = connectPool({ ...direct, isPooled: true }, () => {}, { direct })
  onTestFinished(() => pool.close())
  const { waitingCall, release, countWaiting } = await holdLock(direct)
  const long = pool.pool.query(`SELECT 1 AS n FROM ${waitingCall}`)
  await expect.poll(countWaiting).toBe(1)
  for (let n = 0; n < 2; n++) {
    await expect.poll(() => timers.count(20_000)).toBe(1)
    timers.end(20_000)
  }
  await expect.poll(() => timers.count(20_000)).toBe(1)
  await release()
  expect((await long).rows).toEqual([{ n: 1 }])
})

test('DATABASE_PREPARE=off sends no names', async () => {
  const plain = connectPool({ ...direct, hasNamedStatements: false, max: 1 }, () => {})
  onTestFinished(() => plain.close())
  await plain.pool.query({ name: 'named', text: 'SELECT $1::int', values: [1] })
  expect((await plain.pool.query('SELECT name FROM pg_prepared_statements')).rows).toEqual([])
})

test('pooled connections with other settings are refused with what to run', async () => {
  const line = await refusal(requirePooledSettings({ ...direct, isPooled: true }))
  expect(line).toContain('statement_timeout (now 0)')
  const statements = line.match(/ALTER ROLE .*?;/g)!
  expect(statements).toContain(`ALTER ROLE console IN DATABASE ${database} SET statement_timeout = '15s';`)
  for (const statement of statements) await maintenance.query(statement)
  await requirePooledSettings({ ...direct, isPooled: true })
  await maintenance.query(`ALTER ROLE console IN DATABASE ${database} RESET ALL`)
})

test('a direct address of another database or account is refused', async () => {
  expect(await refusal(requireSamePlace(direct, { ...direct, database: 'postgres' }))).toContain('another database')
  expect(await refusal(requireSamePlace(direct, { ...postgres, database }))).toContain('another account')
  await requireSamePlace(direct, direct)
})

describe('PgBouncer', () => {
  test('in transaction mode is found, whatever it ignores', async () => {
    const bouncer = await openBouncer('transaction')
    expect(await refusal(requireSessions(bouncer, 'DATABASE_URL'))).toMatch(/^DATABASE_URL .* set DATABASE_DIRECT_URL/)
    expect(await refusal(requireSessions(bouncer, 'DATABASE_DIRECT_URL'))).toMatch(
      /^DATABASE_DIRECT_URL .* server itself/,
    )
  })

  test('in session mode keeps sessions', async () => {
    await requireSessions(await openBouncer('session'), 'DATABASE_URL')
  })

  test('that takes no settings of clients is refused with what to set', async () => {
    const { host, port } = findPgBouncer()
    const connectionString = buildDatabaseUrl({ ...direct, host, port }, database)
    expect(await refusal(requireSessions({ connectionString }, 'DATABASE_URL'))).toMatch(
      /^DATABASE_URL leads to a pooler at 127\.0\.0\.1:\d+ .* set DATABASE_DIRECT_URL/,
    )
  })

  test('without named statements needs DATABASE_PREPARE=off', async () => {
    expect(await refusal(requireNamedStatements(pooled))).toContain('set DATABASE_PREPARE=off')
    await requireNamedStatements({ ...pooled, hasNamedStatements: false })
  })

  test('starts a console by its settings alone', async () => {
    const own = newDatabaseName('own')
    await maintenance.query(`CREATE DATABASE ${own}`)
    const bouncer = await startPgBouncer(postgres, { database: own })
    onTestFinished(() => bouncer.close())
    const address = buildDatabaseUrl({ ...postgres, ...bouncer }, own)
    const environment = {
      DATABASE_URL: address,
      DATABASE_DIRECT_URL: buildDatabaseUrl(postgres, own),
      DATABASE_PREPARE: 'off',
      DATA_DIR: `/tmp/back-office-${own}`,
    }
    const unset = await runAdmin(['list'], environment)
    expect(unset.text).toContain('ALTER ROLE')
    for (const statement of listRoleSettings(own)) await maintenance.query(statement)
    await maintenance.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${own}'`)
    expect(await runAdmin(['list'], environment)).toMatchObject({ code: 0 })
  })
})
