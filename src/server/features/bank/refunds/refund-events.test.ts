import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const { makeLine } = await createStoredLines(server)
const { apply, undo, refuseUndo, events } = createAllocationCaller(server)
const { id: memberId } = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string) => makeOrder(server, memberId, { investmentAmount })
const today = new Date().toISOString().slice(0, 10)

const toRefund = ({ id: orderId }: { id: string }, amount: string) => ({
  purpose: 'refund',
  orderId,
  amount,
  cause: 'overpaid',
})
const payBack = async (credit: { id: string }, amount: string) => {
  const debit = await makeLine({ direction: 'debit', amount })
  return (await apply(debit.id, [{ purpose: 'refund', lineId: credit.id, amount }])).allocations[0]!
}
const listRefunds = async (order: { orderNumber: string }) =>
  (await events(order))
    .filter(({ type }) => type.startsWith('order.refund_'))
    .map(({ type, payload }) => [type.slice('order.refund_'.length), payload.refundId, payload.outstanding])

/** What a platform that keys on `refundId` has to pay back, from the events of an order alone. */
async function readStanding(order: { orderNumber: string }): Promise<Record<string, string>> {
  const standing: Record<string, string> = {}
  for (const [type, refundId, outstanding] of await listRefunds(order))
    standing[String(refundId)] = type === 'withdrawn' ? '0.00' : String(outstanding)
  return standing
}

test('a refund that is undone is withdrawn, so that the platform counts once (product 10.5)', async () => {
  const [order, credit] = [await askFor('60.00'), await makeLine()]
  const set = async () => (await apply(credit.id, [toRefund(order, '40.00')])).allocations[0]!
  const first = await set()
  await undo(first.id, 'She wants to keep it')
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.refund_withdrawn',
    version: 1,
    payload: {
      orderNumber: order.orderNumber,
      memberId,
      refundId: first.id,
      amount: '40.00',
      currency: 'EUR',
      reason: 'She wants to keep it',
    },
  })
  const second = await set()
  expect(await readStanding(order)).toEqual({ [first.id]: '0.00', [second.id]: '40.00' })
})

test('a transfer that pays a refund back is told with what is still outstanding (product 10.5)', async () => {
  const [order, credit] = [await askFor('60.00'), await makeLine()]
  const refund = (await apply(credit.id, [toRefund(order, '40.00')])).allocations[0]!
  await payBack(credit, '15.00')
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.refund_paid',
    payload: { refundId: refund.id, amount: '40.00', outstanding: '25.00', currency: 'EUR', bookedOn: today },
  })
  await payBack(credit, '25.00')
  expect(await readStanding(order)).toEqual({ [refund.id]: '0.00' })
})

test('a transfer that is taken back makes the refund due again, under its id (product 10.5)', async () => {
  const [order, credit] = [await askFor('60.00'), await makeLine()]
  const refund = (await apply(credit.id, [toRefund(order, '40.00')])).allocations[0]!
  const back = await payBack(credit, '40.00')
  expect((await refuseUndo(refund.id))[0]).toBe(409)
  await undo(back.id)
  expect(await listRefunds(order)).toEqual([
    ['due', refund.id, '40.00'],
    ['paid', refund.id, '0.00'],
    ['due', refund.id, '40.00'],
  ])
  expect((await events(order)).at(-1)!.payload).toMatchObject({ amount: '40.00', cause: 'overpaid' })
})

test('what went out for several refunds is told of each order, the earliest first (product 7.10)', async () => {
  const [one, other, credit] = [await askFor('60.00'), await askFor('60.00'), await makeLine()]
  const { allocations } = await apply(credit.id, [toRefund(one, '60.00'), toRefund(other, '40.00')])
  const [second, first] = allocations
  await payBack(credit, '70.00')
  expect(await readStanding(one)).toEqual({ [first!.id]: '0.00' })
  expect(await readStanding(other)).toEqual({ [second!.id]: '30.00' })
})

test('what had gone out for a refund that is undone counts for the next of its line (product 10.5)', async () => {
  const [one, other, credit] = [await askFor('60.00'), await askFor('60.00'), await makeLine()]
  const { allocations } = await apply(credit.id, [toRefund(one, '40.00'), toRefund(other, '60.00')])
  const [second, first] = allocations
  await payBack(credit, '30.00')
  await undo(first!.id)
  expect(await readStanding(one)).toEqual({ [first!.id]: '0.00' })
  expect(await readStanding(other)).toEqual({ [second!.id]: '30.00' })
})

test('two refunds of one order in one call are two events with numbers of their own', async () => {
  const [order, credit] = [await askFor('60.00'), await makeLine()]
  const { allocations } = await apply(credit.id, [toRefund(order, '40.00'), toRefund(order, '10.00')])
  const [second, first] = allocations
  expect(await readStanding(order)).toEqual({ [first!.id]: '40.00', [second!.id]: '10.00' })
  const rows = await server.sql<{ sequence: number }>(
    'SELECT sequence::int FROM platform_events WHERE entity_id = $1 ORDER BY id',
    [order.orderNumber],
  )
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2])
})

test('a refund that was meant for no order is told to nobody (product 10.5)', async () => {
  const count = async () => (await server.sql<{ n: number }>('SELECT count(*)::int AS n FROM platform_events'))[0]!.n
  const [credit, before] = [await makeLine(), await count()]
  const { allocations } = await apply(credit.id, [{ purpose: 'refund', amount: '40.00', cause: 'duplicate' }])
  await undo((await payBack(credit, '40.00')).id)
  await undo(allocations[0]!.id)
  expect(await count()).toBe(before)
})

test('events of a refund name neither payer nor account (product 10.5)', async () => {
  const [order, credit] = [
    await askFor('60.00'),
    await makeLine({ payerName: 'OLEG STRANGER', payerAccount: 'PT50000201231234567890154' }),
  ]
  await apply(credit.id, [payOrder(order, '60.00'), toRefund(order, '40.00')], { reason: 'Confirmed' })
  await payBack(credit, '40.00')
  const told = JSON.stringify(await events(order))
  expect(told).toContain('order.refund_paid')
  expect(told).not.toMatch(/OLEG|PT50/)
})
