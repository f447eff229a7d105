import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, undo, events, audits } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
type Asked = Awaited<ReturnType<typeof askFor>>
const readOrder = async ({ id }: Asked) =>
  (await server.sql('SELECT status, received, paid_via FROM orders WHERE id = $1', [id]))[0]!
const readLine = async (id: string) =>
  (await server.sql('SELECT state, allocated FROM bank_lines WHERE id = $1', [id]))[0]!
const readDetail = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()

/** A credit of 100.00 EUR with these allocations, and as much of it as is said taken back by the bank. */
async function makeReversal(allocations: object[], amount = '100.00') {
  const [credit, debit] = [
    await makeLine({ bookedOn: '2026-11-03' }),
    await makeLine({ direction: 'debit', isReversal: true, amount }),
  ]
  await apply(credit.id, allocations)
  const reply = await apply(debit.id, [{ purpose: 'reversal', lineId: credit.id, amount }])
  return { credit, debit, reversal: reply.allocations[0]! }
}

test('undoing what was taken back pays the order again (product 7.10)', async () => {
  const order = await askFor('100.00')
  const { credit, debit, reversal } = await makeReversal([payOrder(order, '100.00')])
  const restored = { purpose: 'order', orderNumber: order.orderNumber, amount: '100.00', refusal: null }
  expect((await readDetail(debit.id)).allocations).toMatchObject([
    { restores: [{ ...restored, bookedOn: '2026-11-03' }] },
  ])
  const undone = await undo(reversal.id, 'Not a return')
  expect(undone).toMatchObject({
    line: { id: debit.id, state: 'open' },
    orders: [{ id: order.id, status: 'paid', paidVia: 'bank', received: '100.00' }],
    restored: [restored],
  })
  expect(await readLine(credit.id)).toEqual({ state: 'settled', allocated: '100.00' })
  expect((await events(order)).map(({ type, version }) => [type, version])).toEqual([
    ['order.paid', 2],
    ['order.payment_reversed', 3],
    ['order.paid', 4],
  ])
  expect((await audits(debit)).at(-1)).toMatchObject({
    action: 'undo_payment',
    details: {
      restored: [{ purpose: 'order', amount: '100.00', orderNumber: order.orderNumber }],
      before: { [order.orderNumber]: 'waiting_payment' },
      after: { [order.orderNumber]: 'paid' },
    },
  })
  expect((await readDetail(credit.id)).allocations[0]).toMatchObject({
    purpose: 'order',
    madeBy: 'ada',
    undoneAt: null,
  })
})

test('a reversal is undone from the credit, too, and can be made again (product 7.10)', async () => {
  const order = await askFor('100.00')
  const { credit, debit } = await makeReversal([payOrder(order, '100.00')])
  const [side] = (await readDetail(credit.id)).allocations
  expect(side).toMatchObject({ purpose: 'reversal', restores: [{ orderNumber: order.orderNumber }] })
  await undo(side!.id)
  expect([await readOrder(order), await readLine(debit.id)]).toMatchObject([{ status: 'paid' }, { state: 'open' }])
  const again = await apply(debit.id, [{ purpose: 'reversal', lineId: credit.id, amount: '100.00' }])
  await undo(again.allocations[0]!.id)
  expect(await readOrder(order)).toMatchObject({ status: 'paid', received: '100.00' })
})

test('all that a reversal undid comes back: parts of orders, and what was put aside (product 7.10)', async () => {
  const [whole, half] = [await askFor('50.00'), await askFor('80.00')]
  const { credit, reversal } = await makeReversal([
    payOrder(whole, '50.00'),
    payOrder(half, '40.00'),
    { purpose: 'ignored', amount: '10.00', code: 'fee' },
  ])
  expect(await readLine(credit.id)).toMatchObject({ allocated: '100.00' })
  const { restored } = await undo(reversal.id)
  expect(restored).toMatchObject([{ amount: '50.00' }, { amount: '40.00' }, { purpose: 'ignored', amount: '10.00' }])
  expect(await readOrder(whole)).toMatchObject({ status: 'paid' })
  expect(await readOrder(half)).toMatchObject({ status: 'waiting_payment', received: '40.00' })
  expect((await events(half)).at(-1)).toMatchObject({
    type: 'order.payment_received',
    payload: { received: '40.00', outstanding: '40.00' },
  })
  const allocations = (await readDetail(credit.id)).allocations.filter(({ undoneAt }) => undoneAt === null)
  expect(allocations.map(({ purpose, code }) => [purpose, code])).toEqual([
    ['ignored', 'fee'],
    ['order', null],
    ['order', null],
  ])
})

test('the account of the payer is confirmed again (product 7.10)', async () => {
  const [order, credit] = [await askFor('100.00'), await makeLine({ payerAccount: 'PT50000201231234567890154' })]
  const debit = await makeLine({ direction: 'debit', isReversal: true })
  await apply(credit.id, [payOrder(order, '100.00')])
  const { allocations } = await apply(debit.id, [{ purpose: 'reversal', lineId: credit.id, amount: '100.00' }])
  const readPayers = () => server.sql('SELECT line_id::text FROM payer_accounts WHERE line_id = $1', [credit.id])
  expect(await readPayers()).toEqual([])
  await undo(allocations[0]!.id)
  expect(await readPayers()).toHaveLength(1)
})

const endOrder: Record<string, (order: Asked) => Promise<unknown>> = {
  expired: ({ id }) =>
    server.sql(`UPDATE orders SET status = 'expired', expires_at = '2026-10-01T00:00:00Z' WHERE id = $1`, [id]),
  cancelled: async ({ id }) => {
    const reply = await ada('PATCH', `/api/orders/${id}/status`, { status: 'cancelled', notes: 'Asked to' })
    expect(reply.statusCode).toBe(200)
  },
  'paid by another line': async (order) => apply((await makeLine()).id, [payOrder(order, '100.00')]),
  'marked paid by hand': async ({ id }) => {
    expect((await ada('PATCH', `/api/orders/${id}/status`, { status: 'paid' })).statusCode).toBe(200)
  },
}
test.each([
  ['expired', /^Order ORD-\S+ expired on Oct 01, 2026 .* booked on Nov 03, 2026$/],
  ['cancelled', /is cancelled/],
  ['paid by another line', /is paid/],
  ['marked paid by hand', /was marked paid by hand on/],
])('an order that was %s meanwhile is not paid again (product 7.10)', async (what, message) => {
  const order = await askFor('100.00')
  const { credit, debit, reversal } = await makeReversal([payOrder(order, '100.00')])
  await endOrder[what]!(order)
  const [before, told] = [await readOrder(order), (await events(order)).length]
  const [shown] = (await readDetail(debit.id)).allocations[0]!.restores
  expect(shown).toMatchObject({ orderNumber: order.orderNumber, refusal: expect.stringMatching(message) })
  const { restored } = await undo(reversal.id)
  expect(restored).toEqual([shown])
  expect(await readOrder(order)).toEqual(before)
  expect(await events(order)).toHaveLength(told)
  expect([await readLine(credit.id), await readLine(debit.id)]).toMatchObject([
    { state: 'open', allocated: '0.00' },
    { state: 'open' },
  ])
  expect((await audits(debit)).at(-1)!.details).toMatchObject({ restored: [{ refusal: shown!.refusal }] })
})

test('an order that waits for less meanwhile gets nothing back (product 7.10)', async () => {
  const order = await askFor('100.00')
  const { reversal } = await makeReversal([payOrder(order, '100.00')])
  await apply((await makeLine()).id, [payOrder(order, '30.00')])
  const { restored } = await undo(reversal.id)
  expect(restored[0]!.refusal).toBe(`Order ${order.orderNumber} waits for 70.00 EUR only`)
  expect(await readOrder(order)).toMatchObject({ status: 'waiting_payment', received: '30.00' })
})

test('money of the line that was used meanwhile stays where it is (product 7.10)', async () => {
  const [order, other] = [await askFor('100.00'), await askFor('70.00')]
  const { credit, reversal } = await makeReversal([payOrder(order, '100.00')], '30.00')
  await apply(credit.id, [payOrder(other, '70.00')])
  const { restored } = await undo(reversal.id)
  expect(restored[0]!.refusal).toBe('Only 30.00 EUR of its line are open')
  expect([await readOrder(order), await readOrder(other)]).toMatchObject([
    { status: 'waiting_payment' },
    { status: 'paid' },
  ])
})

test('an order that was marked paid by hand before gets its line back (product 7.10)', async () => {
  const order = await askFor('100.00')
  await ada('PATCH', `/api/orders/${order.id}/status`, { status: 'paid' })
  const { reversal } = await makeReversal([payOrder(order, '100.00')])
  expect(await readOrder(order)).toMatchObject({ status: 'paid', received: '0.00' })
  await undo(reversal.id)
  expect(await readOrder(order)).toMatchObject({ status: 'paid', received: '100.00', paid_via: 'hand' })
})

test('one of ten who undo a reversal at once wins (product 7.10)', async () => {
  const order = await askFor('100.00')
  const { reversal } = await makeReversal([payOrder(order, '100.00')])
  const url = `/api/bank/allocations/${reversal.id}/undo`
  const replies = await Promise.all(Array.from({ length: 10 }, () => ada('POST', url, { reason: 'x' })))
  expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
  expect(await readOrder(order)).toMatchObject({ status: 'paid', received: '100.00' })
  expect((await events(order)).map(({ type }) => type)).toEqual(['order.paid', 'order.payment_reversed', 'order.paid'])
})
