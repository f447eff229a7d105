import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const { makeLine } = await createStoredLines(server)
const { apply, undo, refuse, refuseUndo, events } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const askFor = (investmentAmount: string, given = {}) => makeOrder(server, member.id, { investmentAmount, ...given })
const makeDebit = (given = {}) => makeLine({ direction: 'debit', isReversal: true, ...given })
const takeBack = (lineId: string, amount = '100.00') => ({ purpose: 'reversal', lineId, amount })
const payBack = (lineId: string, amount: string) => ({ purpose: 'refund', lineId, amount })
const readLine = async (id: string) =>
  (await server.sql('SELECT state, allocated FROM bank_lines WHERE id = $1', [id]))[0]!
const readStatus = async (id: string) =>
  (await server.sql('SELECT status, received FROM orders WHERE id = $1', [id]))[0]!

test('a payment that the bank takes back leaves its order waiting (product 7.10)', async () => {
  const [order, credit, debit] = [await askFor('100.00'), await makeLine(), await makeDebit()]
  await apply(credit.id, [payOrder(order, '100.00')])
  const reply = await apply(debit.id, [takeBack(credit.id)])
  expect(reply).toMatchObject({
    line: { id: debit.id, state: 'settled' },
    orders: [{ id: order.id, status: 'waiting_payment', received: '0.00' }],
    allocations: [{ lineId: debit.id, purpose: 'reversal', otherLineId: credit.id }],
  })
  expect(await readLine(credit.id)).toEqual({ state: 'settled', allocated: '100.00' })
  expect((await events(order)).at(-1)).toMatchObject({
    type: 'order.payment_reversed',
    payload: { reason: 'The bank took the payment back', status: 'waiting_payment' },
  })
})

test('undoing what was taken back frees both lines, from either side (product 7.10)', async () => {
  for (const side of ['credit', 'debit']) {
    const [credit, debit] = [await makeLine(), await makeDebit()]
    const { allocations } = await apply(debit.id, [takeBack(credit.id)])
    const [other] = await server.sql<{ id: string }>('SELECT id::text FROM bank_allocations WHERE line_id = $1', [
      credit.id,
    ])
    await undo(side === 'debit' ? allocations[0]!.id : other!.id)
    expect([await readLine(credit.id), await readLine(debit.id)]).toMatchObject([{ state: 'open' }, { state: 'open' }])
  }
})

test('only as much is undone as the bank took back (product 7.10)', async () => {
  const [one, other, credit] = [await askFor('30.00'), await askFor('50.00'), await makeLine()]
  await apply(credit.id, [payOrder(one, '30.00'), payOrder(other, '50.00')])
  await apply((await makeDebit({ amount: '20.00' })).id, [takeBack(credit.id, '20.00')])
  expect([await readStatus(one.id), await readStatus(other.id)]).toMatchObject([{ status: 'paid' }, { status: 'paid' }])
  await apply((await makeDebit({ amount: '30.00' })).id, [takeBack(credit.id, '30.00')])
  expect([await readStatus(one.id), await readStatus(other.id)]).toMatchObject([
    { status: 'waiting_payment' },
    { status: 'paid' },
  ])
})

test('more than a line has is not taken back, nor what is to be paid back (product 9.10)', async () => {
  const [credit, debit] = [await makeLine(), await makeDebit({ amount: '150.00' })]
  await apply(credit.id, [{ purpose: 'refund', amount: '60.00', cause: 'overpaid' }])
  expect(await refuse(debit.id, [takeBack(credit.id, '100.00')])).toEqual([
    409,
    'line_amount',
    'Only 40.00 EUR of that line can be taken back',
  ])
})

test('a refund is paid back up to what is due (product 7.10)', async () => {
  const credit = await makeLine()
  await apply(credit.id, [{ purpose: 'refund', amount: '60.00', cause: 'overpaid' }])
  const [first, second] = [await makeDebit({ amount: '40.00' }), await makeDebit({ amount: '40.00' })]
  const { allocations } = await apply(first.id, [payBack(credit.id, '40.00')])
  expect(allocations).toMatchObject([{ purpose: 'refund', otherLineId: credit.id, cause: null }])
  expect(await refuse(second.id, [payBack(credit.id, '40.00')])).toEqual([
    409,
    'line_amount',
    'Only 20.00 EUR of that line are to be paid back',
  ])
  await apply(second.id, [payBack(credit.id, '20.00')])
})

test('a refund that was paid back stays until that is undone (product 9.10)', async () => {
  const credit = await makeLine()
  const due = await apply(credit.id, [{ purpose: 'refund', amount: '60.00', cause: 'overpaid' }])
  const debit = await makeDebit({ amount: '60.00' })
  const back = await apply(debit.id, [payBack(credit.id, '60.00')])
  const [status, code, message] = await refuseUndo(due.allocations[0]!.id)
  expect([status, code]).toEqual([409, 'line_amount'])
  expect(message).toMatch(/^60\.00 EUR of this line were paid back on .* UTC: undo that first$/)
  await undo(back.allocations[0]!.id)
  await undo(due.allocations[0]!.id)
  expect(await readLine(credit.id)).toMatchObject({ state: 'open', allocated: '0.00' })
})

test('money that went out pays no order, and takes back only what came in (product 9.10)', async () => {
  const [order, debit, other] = [await askFor('10.00'), await makeDebit(), await makeDebit()]
  expect(await refuse(debit.id, [payOrder(order, '10.00')])).toEqual([
    409,
    'line_direction',
    'Money that went out pays no order',
  ])
  expect(await refuse(debit.id, [takeBack(other.id)])).toEqual([
    409,
    'line_direction',
    'Only money that came in can be taken back or paid back',
  ])
  expect((await refuse(debit.id, [{ purpose: 'refund', amount: '1.00', cause: 'late' }]))[1]).toBe('line_direction')
  expect(await refuse(debit.id, [{ purpose: 'refund', amount: '1.00' }])).toEqual([
    400,
    'invalid',
    'allocations.0.lineId: must name the line that is paid back',
  ])
  const foreign = await makeLine({ currency: 'CHF' })
  expect((await refuse(debit.id, [takeBack(foreign.id)]))[2]).toBe('That line is in CHF, this one in EUR')
  expect((await refuse(debit.id, [takeBack('999999')]))[0]).toBe(404)
})

test('a fee that the bank took is put aside (product 7.10)', async () => {
  const debit = await makeDebit({ amount: '3.50', isReversal: false })
  const { line } = await apply(debit.id, [{ purpose: 'ignored', amount: '3.50', code: 'fee' }])
  expect(line.state).toBe('settled')
})

test('what of a refund is still due is said of each part, the earliest first (product 7.10)', async () => {
  const [one, two] = [await askFor('60.00'), await askFor('40.00')]
  const credit = await makeLine()
  const toRefund = (order: { id: string }, amount: string) => ({
    purpose: 'refund',
    orderId: order.id,
    amount,
    cause: 'other',
  })
  await apply(credit.id, [toRefund(one, '60.00'), toRefund(two, '40.00')], { reason: 'Paid by mistake' })
  const readDue = async () => {
    const replies = await Promise.all([one, two].map(({ id }) => server.as('ada')('GET', `/api/orders/${id}/payments`)))
    return replies.map((reply) => reply.json().payments[0].allocation.refundDue)
  }
  expect(await readDue()).toEqual(['60.00', '40.00'])
  const debit = await makeLine({ direction: 'debit', amount: '70.00' })
  await apply(debit.id, [payBack(credit.id, '70.00')])
  expect(await readDue()).toEqual(['0.00', '30.00'])
})
