import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startTcpProxy } from '#test/faults/tcp-proxy.ts'
import { runJob } from '#test/support/jobs.ts'
import { endLeases } from '#test/support/leases.ts'
import { startServer } from '#test/support/server.ts'
import { connectPool, type Database, readConnectionOptions } from './client.ts'
import { type Lease, LeaseLostError, takeLease } from './lease.ts'

const server = await startServer()
await server.sql('CREATE TABLE written (by text)')
const { database } = server.services
const held: Lease[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
})
afterEach(async () => {
  vi.useRealTimers()
  for (const lease of held.splice(0)) await lease.release()
  await server.sql('TRUNCATE written, leases')
})

async function take(name = 'work', seconds = 60, through: Database = database) {
  const lease = await takeLease(through, name, seconds)
  if (lease) held.push(lease)
  return lease
}

const write = (lease: Lease, by: string, through: Database = database) =>
  lease.guard(through).transaction(async (tx) => void (await tx.execute(`INSERT INTO written VALUES ('${by}')`)))
const readWritten = async () => (await server.sql<{ by: string }>('SELECT by FROM written')).map(({ by }) => by)

test('one of ten simultaneous servers gets a lease', async () => {
  const taken = await Promise.all(Array.from({ length: 10 }, () => take()))
  expect(taken.filter(Boolean)).toHaveLength(1)
  expect(await take('other work')).not.toBeNull()
})

test('a lease that is given back is free at once', async () => {
  const first = (await take())!
  await first.release()
  expect(first.signal.aborted).toBe(true)
  expect(await take()).not.toBeNull()
})

/** A third of its time passes for the holder of a lease that is about to end. */
async function expectRenewal() {
  await server.sql(`UPDATE leases SET held_until = now() + interval '5 seconds'`)
  vi.advanceTimersByTime(20_000)
  await expect
    .poll(() => server.sql(`SELECT FROM leases WHERE held_until > now() + interval '30 seconds'`))
    .toHaveLength(1)
}

test('a lease is renewed for as long as its holder lives', async () => {
  const lease = (await take())!
  for (let n = 0; n < 5; n++) await expectRenewal()
  expect(await take()).toBeNull()
  expect(lease.signal.aborted).toBe(false)
})

test('one of ten simultaneous servers takes over a lease that has ended', async () => {
  await take()
  await endLeases(server)
  const taken = await Promise.all(Array.from({ length: 10 }, () => take()))
  expect(taken.filter(Boolean)).toHaveLength(1)
})

test('a holder whose lease was taken over writes nothing more', async () => {
  const late = (await take())!
  await write(late, 'late')
  await endLeases(server)
  const next = (await take())!
  await expect(write(late, 'late')).rejects.toThrow(LeaseLostError)
  expect(late.signal.aborted).toBe(true)
  await write(next, 'next')
  expect(await readWritten()).toEqual(['late', 'next'])
})

test('a holder that has lost its lease does not give back the next one’s', async () => {
  const late = (await take())!
  await endLeases(server)
  const next = (await take())!
  await late.release()
  expect(await take()).toBeNull()
  await write(next, 'next')
})

test('nobody takes over while the holder’s transaction is under way', async () => {
  const lease = (await take())!
  await lease.guard(database).transaction(async (tx) => {
    await endLeases(server)
    expect(await take()).toBeNull()
    await tx.execute(`INSERT INTO written VALUES ('holder')`)
  })
  expect(await take()).not.toBeNull()
  expect(await readWritten()).toEqual(['holder'])
})

test('a lease is renewed while the holder’s transaction is under way', async () => {
  const lease = (await take())!
  await lease.guard(database).transaction(expectRenewal)
  expect(await take()).toBeNull()
})

test('a holder behind a network that carries nothing is overtaken', async () => {
  const { host, port } = readConnectionOptions(database.pool) as { host: string; port: number }
  const proxy = await startTcpProxy(host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port })
  const away = connectPool({ ...readConnectionOptions(database.pool), host: '127.0.0.1', port: proxy.port }, () => {})
  onTestFinished(async () => {
    await proxy.close()
    await away.close()
  })
  const lost = (await takeLease(away, 'work', 60))!
  expect(await take()).toBeNull()
  proxy.setMode('silent')
  vi.advanceTimersByTime(60_000)
  expect(lost.signal.aborted).toBe(false)
  await endLeases(server)
  expect(await take()).not.toBeNull()
  vi.advanceTimersByTime(20_000)
  expect(lost.signal.aborted).toBe(true)
  proxy.setMode('open')
  await expect(write(lost, 'late', away)).rejects.toThrow()
  expect(await readWritten()).toEqual([])
})

test('leases that nobody came back to are deleted after a day', async () => {
  await take('kept')
  await take('left')
  await server.sql(`UPDATE leases SET held_until = now() - interval '2 days' WHERE name = 'left'`)
  await runJob(server.services, 'delete-expired')
  expect(await server.sql('SELECT name FROM leases')).toEqual([{ name: 'kept' }])
})
