import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '#server/app.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { setOrderStatus } from './service.ts'
import { sqlState } from '#server/lib/errors.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createSession, startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const member = await makeMember(server)
const operators = 20

/** Locks the row of an order, as a change that takes its time. */
async function lockOrder(id: string) {
  const holder = new pg.Client(server.connection)
  onTestFinished(() => holder.end())
  await holder.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT FROM orders WHERE id = $1 FOR UPDATE', [id])
  return () => holder.query('ROLLBACK')
}

const decideTogether = (id: string) =>
  Promise.all(
    Array.from({ length: operators }, (_, n) =>
      ada('PATCH', `/api/orders/${id}/status`, { status: n % 2 === 0 ? 'paid' : 'cancelled', notes: `reason ${n}` }),
    ),
  )
const countWaiting = async () =>
  (await server.sql(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`))
    .length

test('twenty who decide a locked order at once hold one connection (product 7.4)', async () => {
  const { id } = await makeOrder(server, member.id)
  const release = await lockOrder(id)
  const deciding = decideTogether(id)
  await expect.poll(countWaiting).toBe(1)
  const others = await Promise.all(Array.from({ length: 30 }, () => ada('GET', `/api/orders/${id}`)))
  expect(new Set(others.map(({ statusCode }) => statusCode))).toEqual(new Set([200]))
  expect(await countWaiting()).toBe(1)
  await release()
  const answers = await deciding
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  const lost = answers.filter(({ statusCode }) => statusCode !== 200)
  expect(new Set(lost.map((reply) => reply.json().code))).toEqual(new Set(['order_state']))
  expect(await server.sql('SELECT version FROM orders WHERE id = $1', [id])).toEqual([{ version: 2 }])
})

test('an order that stays locked is given up by all within one wait', async () => {
  const { id } = await makeOrder(server, member.id)
  const release = await lockOrder(id)
  vi.useFakeTimers({ toFake: ['performance'] })
  const database = connectPool(
    { ...readConnectionOptions(server.services.database.pool), lock_timeout: 1000 },
    () => {},
  )
  onTestFinished(async () => {
    vi.useRealTimers()
    await database.close()
  })
  const decide = () => setOrderStatus({ ...server.system, database }, id, { status: 'paid' }, undefined)
  const deciding = Promise.allSettled(Array.from({ length: operators }, decide))
  await expect.poll(countWaiting).toBe(1)
  vi.advanceTimersByTime(5001)
  const errors = (await deciding).map((each) => each.status === 'rejected' && each.reason)
  expect(sqlState(errors[0]), 'the first has waited for the lock').toBe('55P03')
  expect(errors.at(-1)).toMatchObject({
    status: 503,
    code: 'busy',
    message: expect.stringContaining('still under way'),
  })
  await release()
  expect((await ada('PATCH', `/api/orders/${id}/status`, { status: 'paid' })).statusCode).toBe(200)
})

test('an order that is locked for too long answers 503 busy, and is decided later', async () => {
  const { id } = await makeOrder(server, member.id)
  const release = await lockOrder(id)
  const database = connectPool({ ...readConnectionOptions(server.services.database.pool), lock_timeout: 100 }, () => {})
  const app = await buildApp({ ...server.services, database })
  onTestFinished(async () => {
    await app.close()
    await database.close()
  })
  const headers = { cookie: await createSession(server, 'ada') }
  const pay = () =>
    app.inject({ method: 'PATCH', url: `/api/orders/${id}/status`, headers, payload: { status: 'paid' } })
  const refused = await pay()
  expect([refused.statusCode, refused.json().code]).toEqual([503, 'busy'])
  await release()
  expect((await pay()).statusCode).toBe(200)
})
