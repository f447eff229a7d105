import { expect, test } from 'vitest'
import type { Order } from '#contract/schemas/orders.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima', email: 'ana@example.com' })
const order = (given = {}) => makeOrder(server, member.id, given)
const move = (id: string, body?: unknown, headers?: Record<string, string>) =>
  ada('PATCH', `/api/orders/${id}/status`, body, headers)
const trail = async ({ id, orderNumber }: { id: string; orderNumber: string }) => ({
  audit: await server.sql(
    `SELECT *, audit_details(id, details) AS details FROM audit_log WHERE target_type = 'order' AND target_id = $1 ORDER BY id`,
    [id],
  ),
  events: await server.sql(`SELECT * FROM platform_events WHERE entity_type = 'order' AND entity_id = $1 ORDER BY id`, [
    orderNumber,
  ]),
})
const row = async (id: string) => (await server.sql('SELECT * FROM orders WHERE id = $1', [id]))[0]!
const past = () => new Date(Date.now() - 60_000).toISOString()

test('marking a waiting order paid answers it, and leaves row, audit row and event (product 7.4)', async () => {
  const made = await order()
  const reply = await move(made.id, { status: 'paid', notes: ' Wire of Nov 20 ' })
  expect(reply.statusCode, reply.body).toBe(200)
  const paid = reply.json<{ message: string; order: Order }>()
  expect(paid.message).toBe('Order Updated')
  expect(paid.order).toMatchObject({
    id: made.id,
    status: 'paid',
    notes: 'Wire of Nov 20',
    investmentAmount: '1500.50',
    userId: member.id,
    userFirstName: 'Ana',
    userEmail: 'ana@example.com',
    statusChangedBy: 'ada',
    completedAt: null,
    version: 2,
  })
  expect(paid.order.paidAt).toBe(paid.order.statusChangedAt)
  const { audit, events } = await trail(made)
  expect(audit).toMatchObject([
    {
      action: 'set_order_status',
      actor_name: 'ada',
      details: {
        orderNumber: made.orderNumber,
        notes: 'Wire of Nov 20',
        before: { status: 'waiting_payment' },
        after: { status: 'paid' },
      },
    },
  ])
  expect(events).toMatchObject([
    { type: 'order.paid', payload: { orderNumber: made.orderNumber, memberId: member.id, status: 'paid' } },
  ])
})

test('payment notes are optional, a reason to cancel is not (product 9.5)', async () => {
  const [one, other] = [await order(), await order()]
  expect((await move(one.id, { status: 'paid' })).json().order).toMatchObject({ status: 'paid', notes: null })
  for (const body of [
    { status: 'cancelled' },
    { status: 'cancelled', notes: ' ' },
    { status: 'cancelled', notes: null },
  ])
    expect(await move(other.id, body).then((reply) => [reply.statusCode, reply.json().message])).toEqual([
      400,
      'Cancellation reason is required',
    ])
  expect(await trail(other)).toEqual({ audit: [], events: [] })
  const cancelled = await move(other.id, { status: 'cancelled', notes: 'Asked for by the member' })
  expect(cancelled.json().order).toMatchObject({ status: 'cancelled', notes: 'Asked for by the member', paidAt: null })
  expect((await trail(other)).events).toMatchObject([
    { type: 'order.cancelled', payload: { notes: 'Asked for by the member' } },
  ])
})

test('every other move is 409 with the present state, who set it and when (product 7.4)', async () => {
  for (const status of ['paid', 'completed', 'expired', 'cancelled'] as const) {
    const made = await order({ status, statusChangedBy: 'grace', statusChangedAt: '2026-03-01T10:05:00Z' })
    for (const to of ['paid', 'cancelled']) {
      const reply = await move(made.id, { status: to, notes: 'x' })
      expect([reply.statusCode, reply.json().message]).toEqual([
        409,
        `This order is ${status} (set by grace on Mar 01, 2026 at 10:05 UTC)`,
      ])
    }
    expect(await row(made.id)).toMatchObject({ status, version: 1 })
  }
})

test('from expiresAt on an order is expired for every move, also before the job (product 7.4)', async () => {
  const made = await order({ expiresAt: past() })
  for (const body of [{ status: 'paid' }, { status: 'cancelled', notes: 'x' }]) {
    const reply = await move(made.id, body)
    expect(reply.statusCode).toBe(409)
    expect(reply.json().message).toMatch(/^This order is expired \(set by system on .* UTC\)$/)
  }
  expect(await trail(made)).toEqual({ audit: [], events: [] })
})

test('an order that expires while a move waits for its row is not moved (product 7.4)', async () => {
  const made = await order()
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [made.id])
  const moving = move(made.id, { status: 'paid' })
  const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  await expect.poll(async () => (await server.sql(waiting)).length).toBe(1)
  // An instant has whole milliseconds, and would be rounded up to one that is still to come.
  const expire = `UPDATE orders SET expires_at = date_trunc('milliseconds', clock_timestamp()) WHERE id = $1`
  await holder.query(expire, [made.id])
  await holder.query('COMMIT')
  holder.release()
  expect((await moving).json().message).toMatch(/^This order is expired/)
})

test('of 20 moves at once exactly one wins, with one audit row and one event (product 7.4)', async () => {
  const made = await order()
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      (n % 2 ? ada : grace)('PATCH', `/api/orders/${made.id}/status`, {
        status: n % 3 ? 'paid' : 'cancelled',
        notes: `Note ${n}`,
      }),
    ),
  )
  const winners = replies.filter((reply) => reply.statusCode === 200)
  expect([winners.length, replies.filter((reply) => reply.statusCode === 409).length]).toEqual([1, 19])
  const { audit, events } = await trail(made)
  expect([audit.length, events.length]).toEqual([1, 1])
  const { status, notes } = winners[0]!.json().order
  expect(await row(made.id)).toMatchObject({ status, notes, version: 2 })
})

test('a stale If-Match is 409 and says how the order stands now (product 8.4)', async () => {
  const made = await order({ version: 7 })
  const stale = await move(made.id, { status: 'paid' }, { 'if-match': '"6"' })
  expect(stale.statusCode).toBe(409)
  expect(stale.json()).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/changed meanwhile, by the platform: now waiting payment, 1500.50 EUR/),
    details: { version: 7, status: 'waiting_payment' },
  })
  expect((await move(made.id, { status: 'paid' }, { 'if-match': '"7"' })).statusCode).toBe(200)
})

test('a move that cannot be recorded does not happen', async () => {
  const made = await order()
  await server.sql('ALTER TABLE messages ADD CONSTRAINT refuse_all CHECK (false) NOT VALID')
  const reply = await move(made.id, { status: 'paid' })
  await server.sql('ALTER TABLE messages DROP CONSTRAINT refuse_all')
  expect(reply.statusCode).toBe(500)
  expect(await row(made.id)).toMatchObject({ status: 'waiting_payment', version: 1 })
  expect(await trail(made)).toEqual({ audit: [], events: [] })
})

test('a body that is not what the call takes is 400 and names the field', async () => {
  const made = await order()
  for (const [body, named] of [
    [undefined, 'status'],
    [{}, 'status'],
    [{ status: 'completed' }, 'paid, cancelled'],
    [{ status: 'expired' }, 'paid, cancelled'],
    [{ status: 'paid', notes: 7 }, 'notes'],
    [{ status: 'paid', notes: 'a\0b' }, 'NUL'],
    [{ status: 'paid', notes: 'x'.repeat(1001) }, '1000'],
    [{ status: 'paid', paidAt: '2026-01-01T00:00:00Z' }, 'paidAt'],
  ] as const) {
    const reply = await move(made.id, body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(named)])
  }
  expect(await row(made.id)).toMatchObject({ status: 'waiting_payment', version: 1 })
})

test('an unknown or odd id is 404 Order not found, for reading and for moving', async () => {
  for (const id of ['999999', '0', 'abc', '-1', '1.5', '9'.repeat(30), '%00', "1'"]) {
    const read = await ada('GET', `/api/orders/${id}`)
    expect([read.statusCode, read.json().message], id).toEqual([404, 'Order not found'])
    expect((await move(id, { status: 'paid' })).statusCode, id).toBe(404)
  }
})

test('the job expires what is due, once for several servers', async () => {
  const due = await Promise.all(Array.from({ length: 30 }, () => order({ expiresAt: past() })))
  const [open, paid] = [await order(), await order({ status: 'paid', expiresAt: past() })]
  await Promise.all([1, 2, 3, 4].map(() => runJob(server.services, 'expire-orders')))
  await runJob(server.services, 'expire-orders')
  for (const made of due) {
    expect(await row(made.id)).toMatchObject({ status: 'expired', status_changed_by: 'system', version: 2 })
    const { audit, events } = await trail(made)
    expect(audit).toMatchObject([
      {
        actor_kind: 'system',
        actor_name: 'system',
        action: 'set_order_status',
        details: { before: { status: 'waiting_payment' }, after: { status: 'expired' } },
      },
    ])
    expect(events).toMatchObject([{ type: 'order.expired', payload: { orderNumber: made.orderNumber } }])
  }
  expect((await row(open.id)).status).toBe('waiting_payment')
  expect((await row(paid.id)).status).toBe('paid')
})

test('the job takes any number of orders and passes over one that an operator holds', async () => {
  await server.sql(
    `INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, bank_name,
       account_holder, account_number, iban, swift, payment_instructions, expires_at)
     SELECT 'many-' || n, $1, 'p', 'P', 1, 'EUR', '', '', '', '', '', '', now() - interval '1 second'
     FROM generate_series(1, 450) n`,
    [member.id],
  )
  const held = await order({ expiresAt: past() })
  const holder = await server.services.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM orders WHERE id = $1 FOR UPDATE', [held.id])
  await runJob(server.services, 'expire-orders')
  expect(
    await server.sql(`SELECT status, count(*)::int AS n FROM orders WHERE order_number LIKE 'many-%' GROUP BY 1`),
  ).toEqual([{ status: 'expired', n: 450 }])
  expect((await row(held.id)).status).toBe('waiting_payment')
  await holder.query('ROLLBACK')
  holder.release()
  await runJob(server.services, 'expire-orders')
  expect((await row(held.id)).status).toBe('expired')
})
