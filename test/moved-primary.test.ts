import type pg from 'pg'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { connectPool, type Database } from '#server/db/client.ts'
import { readUrl } from '#server/db/connection.ts'
import { withStandby } from '#server/db/standby.ts'
import { waitForDatabase } from '#server/db/wait-for-database.ts'
import { Listener } from '#server/features/live/listener.ts'
import { isDatabaseAway } from '#server/lib/errors.ts'
import { Workspace } from './faults/workspace.ts'
import { startPair } from './scale/pair.ts'
import { eventually } from './support/eventually.ts'
import { makeMember } from './support/make.ts'
import { startServer } from './support/server.ts'

const workspace = new Workspace()
await workspace.prepare()
const pair = await startPair(await workspace.makeDataFolder())
afterAll(async () => {
  await pair.close()
  workspace.remove()
})

const single = (host: string) => pair.url.replace(/@[^/]+/, `@${host}`)
const addressOf = ({ host, port }: { host: string; port: number }) => `${host}:${port}`
const readWriter = async (pool: { query: (text: string) => Promise<{ rows: unknown[] }> }) =>
  (await pool.query(`SELECT inet_server_port() AS port, pg_is_in_recovery() AS "isStandby"`)).rows[0]

test('of several hosts each connection finds the one that takes writes', async () => {
  const hosts = pair.url.match(/@([^/]+)/)![1]!.split(',')
  for (const order of [hosts, hosts.toReversed()]) {
    const database = connectPool(readUrl(single(order.join(','))), () => {})
    expect(await readWriter(database.pool)).toEqual({ port: pair.connection.port, isStandby: false })
    await database.close()
  }
})

test('a start on a standby says what to name, and waits as long as it may', async () => {
  const hosts = pair.url.match(/@([^/]+)/)![1]!.split(',')
  const standby = hosts.find((host) => host !== addressOf(pair.connection))!
  const said: string[] = []
  const options = { setting: 'DATABASE_URL' as const, say: (line: string) => said.push(line), seconds: 2 }
  await expect(waitForDatabase(readUrl(single(standby)), options)).rejects.toThrow(
    `DATABASE_URL leads to ${standby}, which takes no writes, as a standby does`,
  )
  expect(said).toHaveLength(1)
})

test('hosts of which none takes writes are named with what is wrong with each', async () => {
  const standby = pair.url
    .match(/@([^/]+)/)![1]!
    .split(',')
    .find((host) => host !== addressOf(pair.connection))!
  const options = { setting: 'DATABASE_URL' as const, say: () => {}, seconds: 0 }
  await expect(waitForDatabase(readUrl(single(`127.0.0.1:1,${standby}`)), options)).rejects.toThrow(
    new RegExp(
      `^DATABASE_URL leads to several hosts, and no host takes writes \\(127.0.0.1:1: .*; ${standby}: takes no writes\\)`,
    ),
  )
})

test('pool and listener follow to the standby that was promoted', async () => {
  const database = connectPool(readUrl(pair.url), () => {})
  let listened = 0
  const listener = new Listener({
    connection: database.session,
    channels: ['changes'],
    log: { warn: () => {} } as never,
    onNotification: () => {},
    onListening: () => void listened++,
  })
  await eventually(() => expect(listened).toBe(1))
  const before = await readWriter(database.pool)
  await pair.killPrimary()
  await pair.promote()
  await eventually(async () => expect(await readWriter(database.pool)).toMatchObject({ isStandby: false }))
  expect(await readWriter(database.pool)).not.toEqual(before)
  await eventually(() => expect(listened).toBe(2))
  await listener.close()
  await database.close()
  await pair.rejoin()
})

describe('a standby for reading', () => {
  const open = (connection: pg.ClientConfig) => connectPool({ ...connection, max: 2 }, () => {})
  const openPrimary = () => open(pair.connection)
  const openStandby = () => pair.standby(async ({ host, port }) => open({ ...pair.connection, host, port }))
  async function readThrough(standby: Database) {
    const reasons: string[] = []
    const database = withStandby(openPrimary(), standby, { onLeftOut: (reason) => reasons.push(reason), waitMs: 300 })
    onTestFinished(() => database.close())
    const readPlace = async () => readWriter((await database.findReader()).pool)
    return { database, reasons, readPlace }
  }

  test('knows at once what was committed', async () => {
    const { database, readPlace } = await readThrough(await openStandby())
    await database.pool.query('CREATE TABLE read_back (n int)')
    for (let n = 0; n < 50; n++) {
      await database.pool.query('INSERT INTO read_back VALUES ($1)', [n])
      const { rows } = await (await database.findReader()).pool.query('SELECT max(n) AS n FROM read_back')
      expect(rows).toEqual([{ n }])
    }
    expect(await readPlace()).toMatchObject({ isStandby: true })
  })

  test('that falls behind is left out', async () => {
    const { database, reasons, readPlace } = await readThrough(await openStandby())
    await pair.standby((client) => client.query('SELECT pg_wal_replay_pause()'))
    onTestFinished(() => pair.standby(async (client) => void (await client.query('SELECT pg_wal_replay_resume()'))))
    await database.pool.query('CREATE TABLE not_replayed ()')
    expect(await readPlace()).toMatchObject({ isStandby: false })
    expect(await readPlace(), 'without another wait').toMatchObject({ isStandby: false })
    expect(reasons).toEqual(['it is more than 0.3 seconds behind'])
  })

  test.each([
    ['that is away', () => open({ host: '127.0.0.1', port: 1 }), 'ECONNREFUSED'],
    ['that was promoted', openPrimary, 'it is the primary'],
    ['of another database', () => open({ ...pair.connection, database: 'postgres' }), 'it is another database'],
  ])('%s is left out', async (_what, openOther, reason) => {
    const { reasons, readPlace } = await readThrough(openOther())
    expect(await readPlace()).toMatchObject({ isStandby: false })
    expect(reasons).toEqual([expect.stringContaining(reason)])
  })
})

test('exports and figures are read where the database says, and recorded in it', async () => {
  const [server, other] = [await startServer(), await startServer()]
  await makeMember(other, { email: 'read@elsewhere.example' })
  server.services.database.findReader = async () => other.services.database
  const ada = server.as('ada')
  expect((await ada('GET', '/api/exports/users')).body).toContain('read@elsewhere.example')
  expect((await ada('GET', '/api/analytics?timeZone=UTC')).json()).toMatchObject({ totalUsers: 1 })
  expect((await ada('GET', '/api/users')).json()).toMatchObject({ total: 0 })
  expect(await server.sql(`SELECT details->'rows' AS rows FROM audit_log WHERE action = 'export_list'`)).toEqual([
    { rows: 1 },
  ])
})

test('a server that takes no writes any more is a 503, and its connections are left', async () => {
  const server = await startServer()
  const { pool } = server.services.database
  const ada = server.as('ada')
  const { id } = await makeMember(server)
  const ban = () => ada('POST', `/api/users/${id}/ban`, { reason: 'Fraud' })
  const [{ name } = { name: '' }] = await server.sql<{ name: string }>('SELECT current_database() AS name')
  await ada('GET', '/api/users')
  await pool.query('SET default_transaction_read_only = on')
  const refused = await ban()
  expect(refused.statusCode).toBe(503)
  expect(refused.json()).toMatchObject({ code: 'database_unavailable' })
  expect(refused.headers['retry-after']).toBeDefined()
  await eventually(() => expect(pool.idleCount).toBe(0))
  expect((await ban()).statusCode, 'on a new connection').toBe(200)

  await server.sql(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  const client = await pool.connect()
  client.release(true)
  const ready = await server.app.inject('/ready')
  expect([ready.statusCode, ready.json()]).toEqual([503, { status: 'database read-only' }])
  await server.sql(`SET transaction_read_only = off; ALTER DATABASE ${name} RESET default_transaction_read_only`)
  expect((await server.app.inject('/ready')).statusCode).toBe(200)
})

test('a refused write counts as a database that is away', () => {
  expect(isDatabaseAway(Object.assign(new Error('cannot execute UPDATE'), { code: '25006' }))).toBe(true)
})
