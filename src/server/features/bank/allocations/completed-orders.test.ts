import { expect, test } from 'vitest'
import type { BankLineDetail, OrderPayments } from '#contract/schemas/bank-allocations.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply, refuse, refuseUndo, undo, events, audits } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const takeBack = (lineId: string, amount = '100.00') => ({ purpose: 'reversal', lineId, amount })
const makeReturn = (given = {}) => makeLine({ direction: 'debit', isReversal: true, ...given })
const readOrder = async (id: string) =>
  (await server.sql('SELECT status, received, paid_via FROM orders WHERE id = $1', [id]))[0]!
const readDetail = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()
const readPayments = async (id: string): Promise<OrderPayments> =>
  (await ada('GET', `/api/orders/${id}/payments`)).json()

/** A completed order that the bank's money paid. */
async function makeCompleted() {
  const [order, credit] = [await makeOrder(server, member.id, { investmentAmount: '100.00' }), await makeLine()]
  const { allocations } = await apply(credit.id, [payOrder(order, '100.00')])
  await platform('POST', `/orders/${order.orderNumber}/complete`)
  return { order, credit, allocation: allocations[0]! }
}

/** One of which the bank took all back. */
async function makeOwed() {
  const { order, credit } = await makeCompleted()
  const debit = await makeReturn()
  const reply = await apply(debit.id, [takeBack(credit.id)])
  return { order, credit, debit, reply }
}

test('what the bank takes back of a completed order is booked, and it stays completed (product 7.4)', async () => {
  const { order, credit, debit, reply } = await makeOwed()
  expect(reply).toMatchObject({
    line: { id: debit.id, state: 'settled' },
    orders: [{ id: order.id, status: 'completed', received: '0.00', paidVia: 'bank' }],
  })
  expect(await readDetail(credit.id)).toMatchObject({
    line: { state: 'settled' },
    allocations: [{ purpose: 'reversal' }, {}],
  })
  expect(await readPayments(order.id)).toMatchObject({ received: '0.00', outstanding: '100.00', takenBack: '100.00' })
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.payment_reversed',
    payload: { status: 'completed', received: '0.00', outstanding: '100.00', reason: 'The bank took the payment back' },
  })
  expect((await audits(debit)).at(-1)).toMatchObject({
    action: 'apply_payment',
    details: { after: { [order.orderNumber]: 'completed' }, owed: { [order.orderNumber]: '100.00 EUR' } },
  })
})

test('a candidate says that a completed order stays so before it is taken back (product 7.12)', async () => {
  const { order, credit } = await makeCompleted()
  const debit = await makeReturn({ remittance: [order.orderNumber] })
  const { candidates } = await readDetail(debit.id)
  const [found] = candidates.filter((each) => 'credits' in each && each.credits[0]!.lineId === credit.id)
  expect(found).toMatchObject({ kind: 'reversal', isLikely: true })
  expect(found!.reasons).toContainEqual({
    text: 'Its order is completed and stays so: the money is then owed',
    speaks: 'against',
  })
})

test('undoing what was taken back of a completed order puts all back (product 7.10)', async () => {
  const { order, credit, reply } = await makeOwed()
  const { restored } = await undo(reply.allocations[0]!.id, 'Not a return')
  expect(restored).toMatchObject([{ purpose: 'order', amount: '100.00', refusal: null }])
  expect(await readOrder(order.id)).toEqual({ status: 'completed', received: '100.00', paid_via: 'bank' })
  expect((await readDetail(credit.id)).line.state).toBe('settled')
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.payment_received',
    payload: { received: '100.00', outstanding: '0.00' },
  })
})

test('a new payment comes to the completed order that is owed it, and no more (product 7.10)', async () => {
  const { order, reply } = await makeOwed()
  const [allocation, rest] = [await makeLine({ amount: '40.00', remittance: [order.orderNumber] }), await makeLine()]
  expect((await readDetail(allocation.id)).candidates[0]).toMatchObject({
    outcome: 'partial',
    refusal: null,
    orders: [{ status: 'completed', outstanding: '100.00' }],
  })
  await apply(allocation.id, [payOrder(order, '40.00')])
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.payment_received',
    payload: { received: '40.00', outstanding: '60.00' },
  })
  expect((await refuse(rest.id, [payOrder(order, '100.00')]))[1]).toBe('order_amount')
  await apply(rest.id, [payOrder(order, '60.00')])
  expect(await readOrder(order.id)).toEqual({ status: 'completed', received: '100.00', paid_via: 'bank' })
  expect((await refuse((await makeLine()).id, [payOrder(order, '1.00')]))[1]).toBe('order_state')
  const { restored } = await undo(reply.allocations[0]!.id)
  expect(restored[0]!.refusal).toMatch(/completed/)
})

test('an order marked paid by hand says what the bank took back of it (product 9.10)', async () => {
  const order = await makeOrder(server, member.id, { investmentAmount: '100.00', status: 'paid', paidVia: 'hand' })
  const [credit, debit] = [await makeLine(), await makeReturn()]
  await apply(credit.id, [payOrder(order, '100.00')])
  expect(await readPayments(order.id)).toMatchObject({ received: '100.00', takenBack: '0.00' })
  const { allocations } = await apply(debit.id, [takeBack(credit.id)])
  expect(await readPayments(order.id)).toMatchObject({ paidVia: 'hand', received: '0.00', takenBack: '100.00' })
  await undo(allocations[0]!.id, 'Not a return')
  expect(await readPayments(order.id)).toMatchObject({ received: '100.00', takenBack: '0.00' })
})

test('a payment that a person undid was not taken back', async () => {
  const order = await makeOrder(server, member.id, { investmentAmount: '100.00' })
  const { allocations } = await apply((await makeLine()).id, [payOrder(order, '100.00')])
  await undo(allocations[0]!.id, 'Meant for another')
  expect(await readPayments(order.id)).toMatchObject({ received: '0.00', takenBack: '0.00' })
})

test('a person does not take the money of a completed order off it (product 9.10)', async () => {
  const { allocation } = await makeCompleted()
  const [status, code, message] = await refuseUndo(allocation.id)
  expect([status, code]).toEqual([409, 'order_state'])
  expect(message).toMatch(/settle it with the platform first$/)
})

test('money taken back after completion is one notice until it came again (product 3.6)', async () => {
  const count = async () => {
    const { notices } = (await ada('GET', '/api/notices')).json<{ notices: { kind: string; count: number }[] }>()
    return notices.find(({ kind }) => kind === 'payments_taken_back')?.count ?? 0
  }
  const before = await count()
  const { credit, reply } = await makeOwed()
  expect(await count()).toBe(before + 1)
  const listed = (await ada('GET', '/api/bank/lines?attention=taken_back')).json<{ lines: { id: string }[] }>()
  expect(listed.lines.map(({ id }) => id)).toContain(credit.id)
  await undo(reply.allocations[0]!.id)
  expect(await count()).toBe(before)
})
