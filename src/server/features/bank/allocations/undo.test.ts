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
const { apply, undo, refuseUndo, events, audits } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
const types = async (order: { orderNumber: string }) => (await events(order)).map(({ type }) => type)
const readOrder = async (id: string) => (await server.sql('SELECT * FROM orders WHERE id = $1', [id]))[0]!

test('undoing a payment makes the order wait again, and the line is open (product 7.10)', async () => {
  const [order, line] = [await askFor('100.00'), await makeLine()]
  const { allocations } = await apply(line.id, [payOrder(order, '100.00')])
  const undone = await undo(allocations[0]!.id, 'Of another member')
  expect(undone).toMatchObject({
    message: 'Payment Undone',
    line: { id: line.id, state: 'open', allocated: '0.00' },
    orders: [{ status: 'waiting_payment', paidVia: null, paidAt: null, received: '0.00', statusChangedBy: 'ada' }],
  })
  const reversed = {
    status: 'waiting_payment',
    received: '0.00',
    outstanding: '100.00',
    currency: 'EUR',
    reason: 'Of another member',
  }
  expect((await events(order)).at(-1)).toMatchObject({ type: 'order.payment_reversed', version: 3, payload: reversed })
  expect((await audits(line)).at(-1)).toMatchObject({
    action: 'undo_payment',
    details: {
      allocationId: allocations[0]!.id,
      amount: '100.00 EUR',
      orderNumber: order.orderNumber,
      reason: 'Of another member',
      before: { status: 'paid' },
      after: { status: 'waiting_payment' },
    },
  })
})

test('applied, undone and applied again is as applied once, with events in this order (product 7.10)', async () => {
  const [order, line] = [await askFor('100.00'), await makeLine()]
  const first = await apply(line.id, [payOrder(order, '100.00')])
  await undo(first.allocations[0]!.id)
  const again = await apply(line.id, [payOrder(order, '100.00')])
  const kept = ({
    version: _version,
    paidAt: _at,
    statusChangedAt: _changed,
    ...rest
  }: (typeof again.orders)[number]) => rest
  expect(again.orders.map(kept)).toEqual(first.orders.map(kept))
  expect(await types(order)).toEqual(['order.paid', 'order.payment_reversed', 'order.paid'])
  expect((await events(order)).map(({ version }) => version)).toEqual([2, 3, 4])
})

test('undoing part of what an order has tells the platform what is outstanding (product 10.4)', async () => {
  const order = await askFor('100.00')
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '40.00')])
  await apply((await makeLine()).id, [payOrder(order, '60.00')])
  const { orders } = await undo(allocations[0]!.id)
  expect(orders).toMatchObject([{ status: 'waiting_payment', received: '60.00' }])
  expect((await events(order)).at(-1)!.payload).toMatchObject({ received: '60.00', outstanding: '40.00' })
})

test('a part is undone once (product 9.10)', async () => {
  const { allocations } = await apply((await makeLine()).id, [{ purpose: 'ignored', amount: '100.00', code: 'fee' }])
  await undo(allocations[0]!.id)
  const [status, code, message] = await refuseUndo(allocations[0]!.id)
  expect([status, code]).toEqual([409, 'allocation_undone'])
  expect(message).toMatch(/^This part was undone by ada on \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/)
})

test('the payment of an order that the platform completed stays (product 9.10)', async () => {
  const [order, line] = [await askFor('100.00'), await makeLine()]
  const { allocations } = await apply(line.id, [payOrder(order, '100.00')])
  await platform('POST', `/orders/${order.orderNumber}/complete`)
  const [status, code, message] = await refuseUndo(allocations[0]!.id)
  expect([status, code]).toEqual([409, 'order_state'])
  expect(message).toMatch(
    new RegExp(
      `^Order ${order.orderNumber} was completed by platform:PLATFORM_API_KEY on .* UTC: settle it with the platform first$`,
    ),
  )
  const { payments } = (await ada('GET', `/api/orders/${order.id}/payments`)).json()
  expect(payments[0].allocation).toMatchObject({ undoneAt: null, undoRefusal: message })
  expect(await readOrder(order.id)).toMatchObject({ status: 'completed', received: '100.00', paid_via: 'bank' })
})

test('an order that was marked paid by hand stays paid when its line is taken off (product 7.10)', async () => {
  const order = await askFor('100.00')
  await ada('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })
  await platform('POST', `/orders/${order.orderNumber}/complete`)
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '100.00')])
  const { orders } = await undo(allocations[0]!.id)
  expect(orders).toMatchObject([{ status: 'completed', paidVia: 'hand', received: '0.00' }])
  expect(await types(order)).toEqual(['order.paid'])
})

test('an order whose payment is undone after its end expires (product 7.4)', async () => {
  const order = await askFor('100.00', { expiresAt: new Date(Date.now() - 60_000).toISOString(), status: 'expired' })
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '100.00')])
  const { orders } = await undo(allocations[0]!.id)
  expect(orders).toMatchObject([{ status: 'waiting_payment' }])
  await runJob(server.services, 'expire-orders')
  expect(await types(order)).toEqual(['order.paid', 'order.payment_reversed', 'order.expired'])
  expect(await readOrder(order.id)).toMatchObject({ status: 'expired', received: '0.00' })
})

test('an order that expired with part of its money keeps it, and gives it back (product 7.4)', async () => {
  const order = await askFor('100.00')
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '40.00')])
  await server.sql(`UPDATE orders SET expires_at = now() - interval '1 second' WHERE id = $1`, [order.id])
  await runJob(server.services, 'expire-orders')
  expect(await readOrder(order.id)).toMatchObject({ status: 'expired', received: '40.00' })
  const { orders } = await undo(allocations[0]!.id)
  expect(orders).toMatchObject([{ status: 'expired', received: '0.00' }])
  expect((await events(order)).at(-1)!.payload).toMatchObject({ status: 'expired', received: '0.00' })
})

test('undoing needs a reason, and a part that there is', async () => {
  const { allocations } = await apply((await makeLine()).id, [{ purpose: 'ignored', amount: '100.00', code: 'fee' }])
  const reply = await ada('POST', `/api/bank/allocations/${allocations[0]!.id}/undo`, { reason: '' })
  expect(reply.statusCode).toBe(400)
  for (const id of ['999999', 'x']) expect((await refuseUndo(id))[0]).toBe(404)
})

const undoAll = (lineId: string, allocationIds: string[]) =>
  ada('POST', `/api/bank/lines/${lineId}/undo`, { allocationIds, reason: 'Wrong line' })

test('parts of a line are undone together (product 7.10)', async () => {
  const [order, line] = [await askFor('60.00'), await makeLine()]
  const applied = await apply(line.id, [
    payOrder(order, '60.00'),
    { purpose: 'refund', amount: '30.00', cause: 'overpaid', orderId: order.id },
    { purpose: 'ignored', amount: '10.00', code: 'fee' },
  ])
  const reply = await undoAll(
    line.id,
    applied.allocations.map(({ id }) => id),
  )
  expect(reply.json()).toMatchObject({
    message: 'Payment Undone',
    line: { id: line.id, state: 'open', allocated: '0.00' },
    orders: [{ id: order.id, status: 'waiting_payment', received: '0.00' }],
  })
  expect((await audits(line)).map(({ action }) => action)).toEqual(['apply_payment', ...Array(3).fill('undo_payment')])
  expect(await types(order)).toEqual([
    'order.paid',
    'order.refund_due',
    'order.refund_withdrawn',
    'order.payment_reversed',
  ])
})

test('where one part of a line cannot be undone, none of them is (product 7.10)', async () => {
  const [order, done, line] = [await askFor('40.00'), await askFor('60.00'), await makeLine()]
  const { allocations } = await apply(line.id, [payOrder(order, '40.00'), payOrder(done, '60.00')])
  await platform('POST', `/orders/${done.orderNumber}/complete`)
  const ids = [order, done].map(({ id }) => allocations.find((allocation) => allocation.order?.id === id)!.id)
  const reply = await undoAll(line.id, ids)
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'order_state'])
  expect(await readOrder(order.id)).toMatchObject({ status: 'paid', received: '40.00' })
})

test('parts of another line are not undone with a line', async () => {
  const [one, other] = [await makeLine(), await makeLine()]
  const aside = async ({ id }: { id: string }) =>
    (await apply(id, [{ purpose: 'ignored', amount: '100.00', code: 'fee' }])).allocations[0]!.id
  const [mine, theirs] = [await aside(one), await aside(other)]
  expect((await undoAll(one.id, [mine, theirs])).statusCode).toBe(404)
  expect((await undoAll(one.id, [mine, mine])).json()).toMatchObject({
    message: 'allocationIds: must name each allocation once',
  })
  expect((await undoAll(one.id, [])).statusCode).toBe(400)
  expect((await server.sql('SELECT state FROM bank_lines WHERE id = $1', [one.id]))[0]).toEqual({ state: 'settled' })
})

test('undoing the first of two payments names the second, which goes back else (product 7.10)', async () => {
  const [order, first, second] = [await askFor('100.00'), await makeLine(), await makeLine()]
  const { allocations } = await apply(first.id, [payOrder(order, '100.00')])
  await apply(second.id, [{ purpose: 'refund', cause: 'duplicate', orderId: order.id, amount: '100.00' }])
  const readAllocation = async () =>
    (await ada('GET', `/api/bank/lines/${first.id}`))
      .json()
      .allocations.find(({ id }: { id: string }) => id === allocations[0]!.id)
  const named = { lineId: second.id, bookedOn: second.bookedOn, amount: '100.00', currency: 'EUR' }
  expect((await readAllocation()).paidTwice).toEqual([named])
  await undo(allocations[0]!.id)
  expect((await readAllocation()).paidTwice).toEqual([])
})
