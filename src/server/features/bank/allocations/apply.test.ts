import { expect, test } from 'vitest'
import { bankPolicy } from '#server/db/tables/bank-allocations.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const { makeLine } = await createStoredLines(server)
const { apply, refuse, events, audits } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
const setPolicy = (change: Partial<typeof bankPolicy.$inferInsert>) =>
  server.services.database.db.update(bankPolicy).set(change)

test('a line that covers an order pays it, with audit row and event (product 7.10)', async () => {
  const order = await askFor('100.00')
  const line = await makeLine({ remittance: [order.orderNumber] })
  const reply = await apply(line.id, [payOrder(order, '100')], { version: 1 })
  expect(reply).toMatchObject({
    message: 'Payment Applied',
    line: { id: line.id, state: 'settled', allocated: '100.00' },
    orders: [{ id: order.id, status: 'paid', paidVia: 'bank', received: '100.00', statusChangedBy: 'ada', version: 2 }],
    allocations: [{ purpose: 'order', amount: '100.00', order: { orderNumber: order.orderNumber }, rule: 'hand' }],
  })
  expect(reply.allocations[0]!.evidence).toMatchObject({ outcome: 'exact', flags: [] })
  expect(reply.orders[0]!.paidAt).toBe(reply.orders[0]!.statusChangedAt)
  const payment = {
    via: 'bank',
    amount: '100.00',
    currency: 'EUR',
    bookedOn: line.bookedOn,
    allocations: 1,
    late: false,
  }
  expect(await events(order)).toMatchObject([{ type: 'order.paid', version: 2, payload: { status: 'paid', payment } }])
  expect(await audits(line)).toMatchObject([
    {
      action: 'apply_payment',
      details: {
        amount: '100.00 EUR',
        allocations: [{ purpose: 'order', amount: '100.00', orderNumber: order.orderNumber }],
        before: { [order.orderNumber]: 'waiting_payment' },
        after: { [order.orderNumber]: 'paid' },
      },
    },
  ])
})

test('money that does not cover an order leaves it waiting, and more of it pays it (product 7.10)', async () => {
  const order = await askFor('100.00')
  const [first, second] = [await makeLine({ bookedOn: '2026-11-02' }), await makeLine({ bookedOn: '2026-11-05' })]
  const allocation = await apply(first.id, [payOrder(order, '40.00')])
  expect(allocation.line).toMatchObject({ state: 'part', allocated: '40.00' })
  expect(allocation.orders).toMatchObject([{ status: 'waiting_payment', paidVia: null, received: '40.00', version: 2 }])
  await apply(second.id, [payOrder(order, '60.00')])
  const received = { received: '40.00', outstanding: '60.00', currency: 'EUR', bookedOn: '2026-11-02' }
  const payment = { amount: '100.00', bookedOn: '2026-11-05', allocations: 2 }
  expect(await events(order)).toMatchObject([
    { type: 'order.payment_received', version: 2, payload: received },
    { type: 'order.paid', version: 3, payload: { payment } },
  ])
})

test('one line pays several orders, and what is left has another purpose (product 7.10)', async () => {
  const [one, other] = [await askFor('30.00'), await askFor('50.00')]
  const line = await makeLine()
  const reply = await apply(line.id, [
    payOrder(one, '30.00'),
    payOrder(other, '50.00'),
    { purpose: 'refund', amount: '15.00', cause: 'overpaid', orderId: other.id },
    { purpose: 'ignored', amount: '5.00', code: 'fee' },
  ])
  expect(reply.line.state).toBe('settled')
  expect(reply.orders).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  expect(reply.allocations.map(({ purpose, cause, code }) => [purpose, cause, code])).toEqual([
    ['ignored', null, 'fee'],
    ['refund', 'overpaid', null],
    ['order', null, null],
    ['order', null, null],
  ])
  const refund = { amount: '15.00', currency: 'EUR', cause: 'overpaid' }
  expect(await events(other)).toMatchObject([
    { type: 'order.paid', version: 2 },
    { type: 'order.refund_due', version: 2, payload: refund },
  ])
})

test('money that is put aside alone has an audit action of its own (product 6.9)', async () => {
  const line = await makeLine()
  await apply(line.id, [{ purpose: 'ignored', amount: '100.00', code: 'own_transfer' }], { reason: 'From our savings' })
  expect(await audits(line)).toMatchObject([{ action: 'ignore_payment', details: { reason: 'From our savings' } }])
})

test('more than a line has left is refused (product 9.10)', async () => {
  const [line, order] = [await makeLine(), await askFor('500.00')]
  await apply(line.id, [payOrder(await askFor('40.00'), '40.00')])
  expect(await refuse(line.id, [payOrder(order, '60.01')])).toEqual([
    409,
    'line_amount',
    'Only 60.00 EUR of this line are left',
  ])
  expect(await events(order)).toEqual([])
})

test('more than an order waits for is refused (product 9.10)', async () => {
  const [line, order] = [await makeLine(), await askFor('60.00')]
  expect(await refuse(line.id, [payOrder(order, '100.00')])).toEqual([
    409,
    'order_amount',
    `Order ${order.orderNumber} waits for 60.00 EUR only; say what the other 40.00 EUR are for`,
  ])
})

test('a small rest is put aside by itself up to what the policy says (product 7.11)', async () => {
  await setPolicy({ overpaidUpTo: '0.50' })
  const [line, order] = [await makeLine(), await askFor('99.50')]
  const { allocations } = await apply(line.id, [payOrder(order, '100.00')])
  expect(allocations).toMatchObject([
    { purpose: 'ignored', amount: '0.50', code: 'small_difference' },
    { purpose: 'order', amount: '99.50' },
  ])
  const [more, less] = [await makeLine(), await askFor('99.49')]
  expect((await refuse(more.id, [payOrder(less, '100.00')]))[1]).toBe('order_amount')
  await setPolicy({ overpaidUpTo: '0.00' })
})

test('small rests of several orders count together (product 7.11)', async () => {
  await setPolicy({ overpaidUpTo: '0.50' })
  const [line, one, other] = [await makeLine(), await askFor('49.70'), await askFor('49.70')]
  expect((await refuse(line.id, [payOrder(one, '50.00'), payOrder(other, '50.00')]))[1]).toBe('order_amount')
  await setPolicy({ overpaidUpTo: '0.00' })
})

test('an order of another currency is refused (product 9.10)', async () => {
  const [line, order] = [await makeLine({ currency: 'CHF' }), await askFor('100.00')]
  expect(await refuse(line.id, [payOrder(order, '100.00')])).toEqual([
    409,
    'order_currency',
    `Order ${order.orderNumber} asks for EUR, the bank booked CHF`,
  ])
})

test.each(['cancelled', 'paid', 'completed'] as const)(
  'an order that is %s takes no money, and the refusal says who set it (product 9.10)',
  async (status) => {
    const order = await askFor('100.00', {
      status,
      ...(status !== 'cancelled' && { paidVia: 'hand' }),
      statusChangedBy: 'ana',
      statusChangedAt: '2026-03-01T10:05:00Z',
    })
    const [first, line] = [await makeLine(), await makeLine()]
    if (status !== 'cancelled') await apply(first.id, [payOrder(order, '100.00')])
    expect(await refuse(line.id, [payOrder(order, '100.00')])).toEqual([
      409,
      'order_state',
      `Order ${order.orderNumber} is ${status} (set by ana on Mar 01, 2026 at 10:05 UTC)`,
    ])
  },
)

test('an order that expired is paid by what was booked within the days of grace (product 7.4)', async () => {
  for (const status of ['expired', 'waiting_payment'] as const) {
    const order = await askFor('100.00', { status, expiresAt: '2026-11-03T10:00:00Z' })
    const late = await makeLine({ bookedOn: '2026-11-05' })
    expect(await refuse(late.id, [payOrder(order, '100.00')])).toEqual([
      409,
      'order_state',
      `Order ${order.orderNumber} expired on Nov 03, 2026 at 10:00 UTC: with 1 day of grace it takes money booked up to Nov 04, 2026, and this was booked on Nov 05, 2026`,
    ])
    const inTime = await makeLine({ bookedOn: '2026-11-04' })
    const { orders } = await apply(inTime.id, [payOrder(order, '100.00')])
    expect(orders).toMatchObject([{ status: 'paid', paidVia: 'bank' }])
    expect(await events(order)).toMatchObject([{ type: 'order.paid', payload: { payment: { late: true } } }])
  }
})

test('without days of grace the day of the end is the last (product 7.11)', async () => {
  await setPolicy({ graceDays: 0 })
  const order = await askFor('100.00', { status: 'expired', expiresAt: '2026-11-03T10:00:00Z' })
  const [late, inTime] = [await makeLine({ bookedOn: '2026-11-04' }), await makeLine({ bookedOn: '2026-11-03' })]
  expect((await refuse(late.id, [payOrder(order, '100.00')]))[2]).toContain('with 0 days of grace')
  await apply(inTime.id, [payOrder(order, '100.00')])
  await setPolicy({ graceDays: 1 })
})

test('an order that was marked paid by hand takes its line, and stays as it is (product 7.10)', async () => {
  const ada = server.as('ada')
  const order = await askFor('100.00')
  await ada('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })
  const { orders } = await apply((await makeLine()).id, [payOrder(order, '100.00')])
  expect(orders).toMatchObject([{ status: 'paid', paidVia: 'hand', received: '100.00', version: 3 }])
  expect((await events(order)).map(({ type }) => type)).toEqual(['order.paid'])
})

test('a line that the bank has not booked takes no purpose (product 9.10)', async () => {
  for (const booking of ['pending', 'info'] as const) {
    const line = await makeLine({ booking })
    expect(await refuse(line.id, [{ purpose: 'ignored', amount: '1.00', code: 'fee' }])).toEqual([
      409,
      'line_state',
      'The bank has not booked this line',
    ])
  }
})

test('a refund for another cause needs a reason (product 9.10)', async () => {
  const line = await makeLine()
  const allocation = { purpose: 'refund', amount: '100.00', cause: 'other' }
  expect(await refuse(line.id, [allocation])).toEqual([400, 'invalid', 'reason: is needed for another cause'])
  await apply(line.id, [allocation], { reason: 'A gift' })
})

test.each([
  [{ purpose: 'reversal', amount: '1.00', lineId: '1' }, 'takes no payment back'],
  [{ purpose: 'refund', amount: '1.00', lineId: '1' }, 'pays nothing back'],
])('money that came in is refused as %j (product 9.10)', async (allocation, words) => {
  const [status, code, message] = await refuse((await makeLine()).id, [allocation])
  expect([status, code]).toEqual([409, 'line_direction'])
  expect(message).toContain(words)
})

test('a part with a bad amount, twice the same order or no cause is refused by name', async () => {
  const [line, order] = [await makeLine(), await askFor('100.00')]
  const pay = payOrder(order, '10.00')
  expect((await refuse(line.id, [pay, pay])).slice(1)).toEqual(['invalid', 'allocations.1.orderId: is named before'])
  expect((await refuse(line.id, [{ purpose: 'refund', amount: '1.00' }])).slice(1)).toEqual([
    'invalid',
    'allocations.0.cause: is needed where money is to be paid back',
  ])
  for (const amount of ['0', '0.00', '-1', '1e2', '1.123456', '', '1,00'])
    expect((await refuse(line.id, [payOrder(order, amount)]))[0], amount).toBe(400)
  expect((await refuse(line.id, []))[0]).toBe(400)
})

test('an order has one part of a line: a second is refused until the first is undone', async () => {
  const [line, order] = [await makeLine(), await askFor('100.00')]
  await apply(line.id, [payOrder(order, '10.00')])
  expect((await refuse(line.id, [payOrder(order, '20.00')])).slice(1)).toEqual([
    'order_amount',
    `Order ${order.orderNumber} has 10.00 EUR of this line already: undo that first`,
  ])
})

test('a line or an order that there is not is not found', async () => {
  const [line, order] = [await makeLine(), await askFor('100.00')]
  for (const id of ['999999', 'x']) expect((await refuse(id, [payOrder(order, '1.00')]))[0]).toBe(404)
  expect((await refuse(line.id, [payOrder({ id: '999999' }, '1.00')]))[2]).toBe('Order not found')
})
