import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { isDatabaseAway } from '#server/lib/errors.ts'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { connectPool } from './client.ts'
import { findCluster } from '#test/support/cluster.ts'
import { holdLock } from '#test/support/held-lock.ts'
import { holdTimers } from '#test/support/held-timers.ts'

const [silentMs, probeMs] = [20_000, 3000]
const timers = holdTimers(silentMs, probeMs)

/** The statement under way has had no answer for its time; nor has the question whether it is being worked on. */
async function endSilence() {
  await expect.poll(() => timers.count(silentMs)).toBe(1)
  timers.end(silentMs)
  await expect.poll(() => timers.count(probeMs)).toBe(1)
  timers.end(probeMs)
}

/** A pool of one connection through a proxy; both end with the test. */
async function connectThroughProxy() {
  const { host, port, ...postgres } = findCluster().postgres
  const proxy = await startTcpProxy(host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port })
  const connection = { ...postgres, host: '127.0.0.1', port: proxy.port, max: 1 }
  const database = connectPool(connection, () => {})
  onTestFinished(async () => {
    proxy.setMode('open')
    await database.close()
    await proxy.close()
  })
  return { proxy, database }
}

test('a statement over a dead connection fails like one of an absent database', async () => {
  const { proxy, database } = await connectThroughProxy()
  await database.pool.query('SELECT 1')
  proxy.setMode('silent')
  const failed = expect(database.pool.query('SELECT 2')).rejects.toSatisfy(isDatabaseAway)
  await endSilence()
  await failed
  proxy.setMode('open')
  expect((await database.pool.query('SELECT 3 AS n')).rows).toEqual([{ n: 3 }])
})

test('a transaction over a dead connection ends before its COMMIT', async () => {
  const { proxy, database } = await connectThroughProxy()
  let isSilent = false
  const change = database.transaction(async (tx) => {
    await tx.execute('SELECT 1')
    proxy.setMode('silent')
    isSilent = true
    await tx.execute('SELECT 2')
  })
  const failed = expect(change).rejects.toSatisfy(isDatabaseAway)
  await expect.poll(() => isSilent).toBe(true)
  await endSilence()
  await failed
})

test('a statement that takes longer is left to its end', async () => {
  const { database } = await connectThroughProxy()
  const { waitingCall, release, countWaiting } = await holdLock(findCluster().postgres)
  const long = database.pool.query(`SELECT 1 AS n FROM ${waitingCall}`)
  await expect.poll(countWaiting).toBe(1)
  for (let n = 0; n < 3; n++) {
    await expect.poll(() => timers.count(silentMs)).toBe(1)
    timers.end(silentMs)
  }
  await expect.poll(() => timers.count(silentMs)).toBe(1)
  await release()
  expect((await long).rows).toEqual([{ n: 1 }])
})
