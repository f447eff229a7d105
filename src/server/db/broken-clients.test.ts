import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseAway } from '#server/lib/errors.ts'
import { connectPool } from './client.ts'
import { findCluster } from '#test/support/cluster.ts'

test('a connection that ends while nobody listens to it fails its next statement alone', async () => {
  const database = connectPool(findCluster().postgres, () => {})
  onTestFinished(() => database.close())
  // As between the pool's hand-over and the first statement: the end may come with the answer before.
  const client = await database.pool.connect()
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  const ended = new Promise((resolve) => client.once('end', resolve))
  await database.pool.query('SELECT pg_terminate_backend($1)', [rows[0]!.pid])
  await ended
  await expect(client.query('SELECT 1')).rejects.toSatisfy(isDatabaseAway)
  client.release()
  expect((await database.pool.query('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
})

test('a database that accepts a connection and says nothing counts as away', async () => {
  const silent = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as AddressInfo
  const client = new pg.Client({ host: '127.0.0.1', port, connectionTimeoutMillis: 50 })
  await expect(client.connect()).rejects.toSatisfy(isDatabaseAway)
})
