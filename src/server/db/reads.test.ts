import pg from 'pg'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { holdLock } from '#test/support/held-lock.ts'
import { password, startServer } from '#test/support/server.ts'
import { connectPool, readConnectionOptions } from './client.ts'
import { findCluster } from '#test/support/cluster.ts'

const server = await startServer()
const address = await server.app.listen({ port: 0, host: '127.0.0.1' })
await server.as('ada')('GET', '/api/auth/user')
const login = await server.app.inject({
  method: 'POST',
  url: '/api/auth/login',
  payload: { username: 'ada', password },
})
const headers = { cookie: String(login.headers['set-cookie']).split(';')[0] ?? '' }
const { database: name } = (await server.sql<{ database: string }>('SELECT current_database() AS database'))[0]!
const connection = { ...findCluster().postgres, database: name }

// The database gives nothing up by itself: what ends was cancelled.
const { database: own } = server.services
const patient = connectPool({ ...readConnectionOptions(own.pool), statement_timeout: 0, lock_timeout: 0 }, () => {})
server.services.database = patient
afterAll(async () => {
  server.services.database = own
  await patient.close()
})

/** The statements that look for `word`; a statement's values are not shown, so that it stands in the text searched. */
const running = async () =>
  (
    await server.sql<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND query LIKE '%search_pattern%' AND pid <> pg_backend_pid()`,
    )
  )[0]!.count

/** A connection that ends with its test, also with one that fails. */
async function connectClient() {
  const client = new pg.Client(connection)
  await client.connect()
  onTestFinished(() => client.end())
  return client
}

/** Holds up whatever reads members, until it is let go. */
async function lockMembers() {
  const client = await connectClient()
  await client.query('BEGIN; LOCK TABLE members IN ACCESS EXCLUSIVE MODE')
  return () => client.end()
}

test.each([
  '/api/users?search=lima',
  '/api/users?search=lima&total=exact',
  '/api/orders?search=lima',
  '/api/search?q=lima',
])('the database stops %s once its caller has gone', async (path) => {
  const unlock = await lockMembers()
  const asked = new AbortController()
  const reply = fetch(address + path, { headers, signal: asked.signal }).catch((error: Error) => error.name)
  await eventually(async () => expect(await running()).toBeGreaterThan(0))
  asked.abort()
  expect(await reply).toBe('AbortError')
  await eventually(async () => expect(await running()).toBe(0))
  await unlock()
  expect((await fetch(address + path, { headers })).status).toBe(200)
})

test('a change goes on when its caller has gone', async () => {
  await server.sql(`INSERT INTO members (id, email) VALUES ('gone', 'gone@reads.test')`)
  const client = await connectClient()
  await client.query(`BEGIN; SELECT FROM members WHERE id = 'gone' FOR UPDATE`)
  const asked = new AbortController()
  const reply = fetch(`${address}/api/users/gone/ban`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ reason: 'Chargeback' }),
    signal: asked.signal,
  }).catch((error: Error) => error.name)
  await eventually(async () =>
    expect(
      await server.sql(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      ),
    ).toHaveLength(1),
  )
  asked.abort()
  expect(await reply).toBe('AbortError')
  await client.end()
  await eventually(async () =>
    expect(await server.sql(`SELECT banned FROM members WHERE id = 'gone'`)).toEqual([{ banned: true }]),
  )
})

test('the next statement of a connection is never cancelled', async () => {
  const database = connectPool({ ...connection, max: 1 }, () => {})
  const outcomes = new Set<string>()
  for (let round = 0; round < 200; round++) {
    const asked = new AbortController()
    // Of every length around the moment of the abort, so that many end while they are being cancelled.
    const text = `SELECT count(*) FROM generate_series(1, ${1 + (round % 20) * 4000})`
    const read = database.reads(asked).query({ text })
    const next = database.pool.query('SELECT count(*) FROM generate_series(1, 30000)')
    setImmediate(() => asked.abort())
    outcomes.add(
      await read.then(
        () => 'read',
        (error: Error) => error.name,
      ),
    )
    expect((await next).rowCount).toBe(1)
    expect((await database.pool.query('SELECT FROM generate_series(1, 30000) LIMIT 1')).rowCount).toBe(1)
  }
  expect(outcomes.size, 'some are cancelled and some are not').toBeGreaterThan(1)
  await database.close()
})

test('a connection whose statement was cancelled is used again', async () => {
  const database = connectPool({ ...connection, max: 1 }, () => {})
  const pid = async () => (await database.pool.query('SELECT pg_backend_pid() AS pid')).rows[0].pid
  const before = await pid()
  const asked = new AbortController()
  const { waitingCall } = await holdLock(connection)
  const read = database.reads(asked).query({ text: `SELECT ${waitingCall}` })
  await eventually(async () =>
    expect(
      await server.sql(
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '% SELECT ${waitingCall}'`,
      ),
    ).toHaveLength(1),
  )
  asked.abort()
  await expect(read).rejects.toMatchObject({ code: '57014' })
  expect(await pid()).toBe(before)
  await database.close()
})

test('who has gone before a connection was free asks the database nothing', async () => {
  const database = connectPool({ ...connection, max: 1 }, () => {})
  const client = await database.pool.connect()
  const asked = new AbortController()
  const read = database.reads(asked).query({ text: 'SELECT 1 / 0' })
  asked.abort()
  client.release()
  await expect(read).rejects.toMatchObject({ name: 'AbortError' })
  await database.close()
})
