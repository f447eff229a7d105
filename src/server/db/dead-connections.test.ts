import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { isDatabaseAway } from '#server/lib/errors.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { connectPool } from './client.ts'

/** A pool of one connection through a proxy; both end with the test. */
async function connectThroughProxy(silentMs: number) {
  const { host, port, ...postgres } = inject('postgres')
  const proxy = await startTcpProxy(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
  const connection = { ...postgres, host: '127.0.0.1', port: proxy.port, max: 1 }
  const database = connectPool(connection, () => {}, { silentMs })
  onTestFinished(async () => {
    proxy.setMode('open')
    await database.close()
    await proxy.close()
  })
  return { proxy, database }
}

test('a statement over a dead connection fails like one of an absent database', async () => {
  const { proxy, database } = await connectThroughProxy(200)
  await database.pool.query('SELECT 1')
  proxy.setMode('silent')
  await expect(database.pool.query('SELECT 2')).rejects.toSatisfy(isDatabaseAway)
  proxy.setMode('open')
  expect((await database.pool.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }])
})

test('a transaction over a dead connection ends before its COMMIT', async () => {
  const { proxy, database } = await connectThroughProxy(200)
  const change = database.transaction(async (tx) => {
    await tx.execute('SELECT 1')
    proxy.setMode('silent')
    await tx.execute('SELECT 2')
  })
  await expect(change).rejects.toSatisfy(isDatabaseAway)
})

test('a statement that takes longer is left to its end', async () => {
  const { database } = await connectThroughProxy(100)
  expect((await database.pool.query(`SELECT 1 AS n FROM pg_sleep(0.7)`)).rows).toEqual([{ n: 1 }])
})
