import { expect, test } from 'vitest'
import { runJob } from '#test/support/jobs.ts'
import { createKey } from '#server/features/keys/keys.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)
const { id: member } = await makeMember(server)
const paidOrder = async () =>
  (await makeOrder(server, member, { status: 'paid', paidAt: '2026-01-05T09:00:00.000Z' })).orderNumber
const complete = (orderNumber: string, key: string) =>
  call('POST', `/orders/${orderNumber}/complete`, undefined, { 'idempotency-key': key })
const completions = (orderNumber: string) =>
  server.sql(`SELECT FROM audit_log WHERE action = 'complete_order' AND details->>'orderNumber' = $1`, [orderNumber])

test('eight simultaneous calls with one Idempotency-Key have one effect (product 10.2)', async () => {
  const order = await paidOrder()
  const replies = await Promise.all(Array.from({ length: 8 }, () => complete(order, 'once')))
  expect(replies.map((reply) => reply.statusCode)).toEqual(Array(8).fill(200))
  expect(new Set(replies.map((reply) => reply.body)).size).toBe(1)
  await server.sql(`UPDATE orders SET project_name = 'Renamed' WHERE order_number = $1`, [order])
  expect((await complete(order, 'once')).body).toBe(replies[0]!.body)
  expect(replies.filter(({ headers }) => headers['idempotent-replayed'] === 'true')).toHaveLength(7)
  expect(await completions(order)).toHaveLength(1)
  expect((await complete(order, 'another')).statusCode).toBe(409)
})

test('a platform key shares the answer of the same call with others, and nothing else', async () => {
  const { key } = await createKey(server.system, { name: 'next' })
  const [order, other] = [await paidOrder(), await paidOrder()]
  const first = await complete(order, 'replaced')
  const underNext = (orderNumber: string) =>
    createPlatformCaller(server, key)('POST', `/orders/${orderNumber}/complete`, undefined, {
      'idempotency-key': 'replaced',
    })
  const again = await underNext(order)
  expect([again.statusCode, again.body]).toEqual([200, first.body])
  expect(await completions(order)).toHaveLength(1)
  // What the one key has used is free for a call of the other, and its own from then on.
  expect((await underNext(other)).json()).toMatchObject({ status: 'completed' })
  expect((await underNext(other)).statusCode).toBe(200)
  expect((await underNext(await paidOrder())).json()).toMatchObject({ code: 'idempotency_key_reused' })
  expect((await underNext(order)).body).toBe(first.body)
})

test('a key that came with another call is a 409, and nothing is changed (product 10.2)', async () => {
  const [one, other] = [await paidOrder(), await paidOrder()]
  await complete(one, 'shared')
  const reply = await complete(other, 'shared')
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    { code: 'idempotency_key_reused', message: expect.stringContaining('came with another call') },
  ])
  expect(await completions(other)).toHaveLength(0)
})

test('a refused call leaves its key free', async () => {
  const { orderNumber } = await makeOrder(server, member)
  expect((await complete(orderNumber, 'early')).statusCode).toBe(409)
  await server.sql(`UPDATE orders SET status = 'paid', paid_at = now() WHERE order_number = $1`, [orderNumber])
  expect((await complete(orderNumber, 'early')).json()).toMatchObject({ status: 'completed' })
})

test('a key is 1 to 255 visible characters (product 10.2)', async () => {
  const order = await paidOrder()
  for (const key of ['', ' ', 'two words', 'ä', 'x'.repeat(256)]) {
    const reply = await complete(order, key)
    expect([reply.statusCode, reply.json().details], key).toEqual([
      400,
      [{ field: 'Idempotency-Key', message: 'must be 1 to 255 visible characters' }],
    ])
  }
  expect((await complete(order, '~'.repeat(255))).statusCode).toBe(200)
})

test('an answer is kept for a day and then swept', async () => {
  const order = await paidOrder()
  await complete(await paidOrder(), 'fresh')
  await complete(order, 'old')
  await server.sql(`UPDATE idempotent_calls SET created_at = now() - interval '25 hours' WHERE key = 'old'`)
  const next = await paidOrder()
  expect((await complete(next, 'old')).json()).toMatchObject({ orderNumber: next, status: 'completed' })
  await server.sql(`UPDATE idempotent_calls SET created_at = now() - interval '25 hours' WHERE key = 'old'`)
  await runJob(server.services, 'delete-expired')
  const kept = await server.sql<{ key: string }>(`SELECT key FROM idempotent_calls WHERE key IN ('old', 'fresh')`)
  expect(kept.map(({ key }) => key)).toEqual(['fresh'])
})
