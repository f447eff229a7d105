import { expect, test } from 'vitest'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply, undo } = createAllocationCaller(server)
const member = await makeMember(server)

const move = async (id: string, status: string, notes?: string) => {
  const reply = await ada('PATCH', `/api/orders/${id}/status`, { status, notes })
  return [reply.statusCode, reply.statusCode === 200 ? reply.json().order : reply.json()]
}
const takeBack = (id: string) => move(id, 'waiting_payment', 'Wrong order')
const readOrder = async (id: string) =>
  (await server.sql('SELECT status, notes, paid_via, paid_at, version FROM orders WHERE id = $1', [id]))[0]!

async function makePaid(given = {}) {
  const order = await makeOrder(server, member.id, { investmentAmount: '100.00', ...given })
  expect(await move(order.id, 'paid')).toMatchObject([200, { paidVia: 'hand' }])
  return order
}

test('an order that was marked paid by hand waits again, and its event says so (product 7.4)', async () => {
  const { id, orderNumber } = await makePaid()
  expect(await takeBack(id)).toMatchObject([200, { status: 'waiting_payment', notes: 'Wrong order', paidAt: null }])
  expect(await readOrder(id)).toMatchObject({ paid_via: null, paid_at: null, version: 3 })
  const events = await server.sql(
    'SELECT type, version, payload FROM platform_events WHERE entity_id = $1 ORDER BY id',
    [orderNumber],
  )
  const money = { received: '0.00', outstanding: '100.00', currency: 'EUR' }
  expect(events).toMatchObject([
    { type: 'order.paid', version: 2 },
    {
      type: 'order.payment_reversed',
      version: 3,
      payload: { orderNumber, memberId: member.id, status: 'waiting_payment', reason: 'Wrong order', ...money },
    },
  ])
  expect(await move(id, 'paid')).toMatchObject([200, { status: 'paid', paidVia: 'hand', version: 4 }])
})

test('the bank’s money and a cancellation come to an order whose payment was undone (product 7.4)', async () => {
  const [paid, cancelled] = [await makePaid(), await makePaid()]
  await takeBack(paid.id)
  await apply((await makeLine()).id, [payOrder(paid, '100.00')])
  expect(await readOrder(paid.id)).toMatchObject({ status: 'paid', paid_via: 'bank' })
  await takeBack(cancelled.id)
  expect(await move(cancelled.id, 'cancelled', 'Why')).toMatchObject([200, { status: 'cancelled' }])
})

test('a payment is undone here only where an operator marked it (product 7.4)', async () => {
  const imported = await makeOrder(server, member.id, { status: 'paid' })
  expect(await takeBack(imported.id)).toMatchObject([409, { code: 'order_state', message: 'This order is paid' }])
  const byBank = await makeOrder(server, member.id, { investmentAmount: '100.00' })
  await apply((await makeLine()).id, [payOrder(byBank, '100.00')])
  const refusal = {
    code: 'bank_money_applied',
    message: '100.00 EUR of the bank are applied to this order: undo that first',
  }
  expect(await takeBack(byBank.id)).toMatchObject([409, refusal])
  expect(await readOrder(byBank.id)).toMatchObject({ status: 'paid', version: 2 })
})

test('bank money attached to an order marked paid is undone before the payment is (product 7.4)', async () => {
  const order = await makePaid()
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '100.00')])
  expect(await takeBack(order.id)).toMatchObject([409, { code: 'bank_money_applied' }])
  await undo(allocations[0]!.id)
  expect(await takeBack(order.id)).toMatchObject([200, { status: 'waiting_payment' }])
})

test('a payment of a completed order is not undone (product 7.4)', async () => {
  const { id, orderNumber } = await makePaid()
  expect((await platform('POST', `/orders/${orderNumber}/complete`)).statusCode).toBe(200)
  expect(await takeBack(id)).toMatchObject([409, { code: 'order_state' }])
  expect(await readOrder(id)).toMatchObject({ status: 'completed', paid_via: 'hand' })
})

test('of completing and undoing at once one wins (product 7.4)', async () => {
  const { id, orderNumber } = await makePaid()
  const [completed, undone] = await Promise.all([platform('POST', `/orders/${orderNumber}/complete`), takeBack(id)])
  expect([completed.statusCode, undone[0]].toSorted()).toEqual([200, 409])
  expect((await readOrder(id)).status).toBe(completed.statusCode === 200 ? 'completed' : 'waiting_payment')
})

test('an order whose payment is undone after its end expires (product 7.4)', async () => {
  const { id } = await makePaid()
  await server.sql(`UPDATE orders SET expires_at = created_at WHERE id = $1`, [id])
  expect(await takeBack(id)).toMatchObject([200, { status: 'waiting_payment' }])
  expect(await move(id, 'paid')).toMatchObject([409, { message: expect.stringContaining('This order is expired') }])
  await runJob(server.services, 'expire-orders')
  expect((await readOrder(id)).status).toBe('expired')
})

test('the activity of an order has each marking and undoing by hand (product 5.17)', async () => {
  const { id } = await makePaid()
  await takeBack(id)
  await move(id, 'paid', 'Seen at the bank')
  const { entries } = (await ada('GET', `/api/orders/${id}/activity`)).json()
  const shown = entries.filter(({ type }: { type: string }) => /paid|undone/.test(type))
  expect(shown).toMatchObject([
    { type: 'order_paid', actor: 'ada', subject: 'hand', text: 'Seen at the bank' },
    { type: 'payment_undone', actor: 'ada', subject: 'hand', text: 'Wrong order', amount: '100.00' },
    { type: 'order_paid', actor: 'ada', subject: 'hand', text: null },
  ])
})
