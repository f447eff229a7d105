import { afterAll, expect, test } from 'vitest'
import { connectPool } from '#server/db/client.ts'
import { readUrl } from '#server/db/connection.ts'
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
