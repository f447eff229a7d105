import { expect, test } from 'vitest'
import type { BankAccount } from '#contract/schemas/bank.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { specimenIban } from '#test/support/bank-files.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const giro = await createStoredLines(server)
const savings = await createStoredLines(server, 'DE02120300000000202051')
const { apply, undo, refuse, events, audits } = createAllocationCaller(server)
const { id: memberId } = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const payer = { payerName: 'ANA LIMA', payerAccount: 'PT50000201231234567890154' }

let number = 0
/** A payment that is to be paid back for an order, the transfer that did, and the money that came back of it. */
async function makeReturned(given: { refunds?: string[]; sent?: string; back?: string } = {}) {
  const { refunds = ['100.00'], sent = refunds[0]!, back = sent } = given
  const endToEndId = `REF-${++number}`
  const order = await makeOrder(server, memberId, { investmentAmount: '60.00' })
  const credits = []
  const debit = await giro.makeLine({ ...payer, direction: 'debit', amount: sent, endToEndId })
  const allocations = []
  for (const amount of refunds) {
    const credit = await giro.makeLine({ ...payer, amount })
    await apply(credit.id, [{ purpose: 'refund', orderId: order.id, amount, cause: 'duplicate' }])
    credits.push(credit)
    allocations.push({ purpose: 'refund', lineId: credit.id, amount })
  }
  await apply(debit.id, allocations)
  const details = { returnReason: 'AC04' }
  const line = await giro.makeLine({ ...payer, amount: back, endToEndId, details })
  return { order, credit: credits[0]!, credits, debit, line }
}
const giveBack = (transfer: { id: string }, amount = '100.00') => ({ purpose: 'return', lineId: transfer.id, amount })
const readDetail = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()
const readActive = async (id: string) =>
  (await readDetail(id)).allocations.filter(({ undoneAt }) => undoneAt === null).toReversed()
const listRefunds = async (order: { orderNumber: string }) =>
  (await events(order))
    .filter(({ type }) => type.startsWith('order.refund_'))
    .map(({ type, payload }) => [type.slice('order.refund_'.length), payload.outstanding])
async function readAccount(): Promise<BankAccount> {
  const { accounts } = (await ada('GET', '/api/bank/accounts')).json<{ accounts: BankAccount[] }>()
  return accounts.find(({ id }) => id === giro.account.id)!
}

test('a transfer that comes back makes its refund due again, with the reason (product 7.10)', async () => {
  const { order, credit, debit, line } = await makeReturned()
  const before = await readAccount()
  const applied = await apply(line.id, [giveBack(debit)])
  expect(applied.line.state).toBe('settled')
  const returned = { lineId: line.id, bookedOn: line.bookedOn, reason: 'AC04' }
  expect(await readActive(credit.id)).toMatchObject([{ purpose: 'refund', refundDue: '100.00', returned }])
  expect((await readDetail(credit.id)).line.refundsDue).toMatchObject([{ due: '100.00', returned }])
  expect(await readActive(debit.id)).toMatchObject([{ purpose: 'return', amount: '100.00', otherLineId: line.id }])
  const payments = (await ada('GET', `/api/orders/${order.id}/payments`)).json().payments
  expect(payments).toMatchObject([{ allocation: { purpose: 'refund', refundDue: '100.00', returned } }])
  const { credits, booked } = await readAccount()
  const change = (of: 'paidBack' | 'refund' | 'returned') => Number(credits[of]) - Number(before.credits[of])
  expect([change('paidBack'), change('refund'), change('returned')]).toEqual([-100, 100, 100])
  expect(booked).toEqual(before.booked)
})

test('the platform hears once that a refund is due again (product 10.5)', async () => {
  const { order, debit, line } = await makeReturned()
  await apply(line.id, [giveBack(debit)])
  expect(await listRefunds(order)).toEqual([
    ['due', '100.00'],
    ['paid', '0.00'],
    ['due', '100.00'],
  ])
  expect((await audits(line)).at(-1)).toMatchObject({
    action: 'apply_payment',
    details: { allocations: [{ purpose: 'return', amount: '100.00', otherLineId: debit.id }] },
  })
})

test('undoing a return from either line counts the refund as paid back again (product 7.10)', async () => {
  for (const side of ['line', 'debit'] as const) {
    const made = await makeReturned()
    await apply(made.line.id, [giveBack(made.debit)])
    const [allocation] = await readActive(made[side].id)
    expect(allocation!.restores).toMatchObject([
      { purpose: 'refund', direction: 'debit', amount: '100.00', refusal: null },
    ])
    expect((await undo(allocation!.id)).restored).toMatchObject([{ purpose: 'refund', refusal: null }])
    expect(await readActive(made.line.id)).toEqual([])
    expect(await readActive(made.debit.id)).toMatchObject([{ purpose: 'refund', otherLineId: made.credit.id }])
    expect(await readActive(made.credit.id)).toMatchObject([{ refundDue: '0.00', returned: null }])
    expect((await listRefunds(made.order)).at(-1)).toEqual(['paid', '0.00'])
  }
})

test('a refund that was paid again meanwhile is not paid back twice (product 7.10)', async () => {
  const { credit, debit, line } = await makeReturned()
  const { allocations } = await apply(line.id, [giveBack(debit)])
  const again = await giro.makeLine({ ...payer, direction: 'debit' })
  await apply(again.id, [{ purpose: 'refund', lineId: credit.id, amount: '100.00' }])
  expect(await readActive(credit.id)).toMatchObject([{ refundDue: '0.00', returned: null }])
  expect((await undo(allocations[0]!.id)).restored).toMatchObject([
    { refusal: 'Only 0.00 EUR of that payment are to be paid back' },
  ])
  expect((await readDetail(debit.id)).line).toMatchObject({ state: 'open', allocated: '0.00' })
})

test('what a bank kept of a return is its fee, and all of the refund is due (product 7.10)', async () => {
  const { credit, debit, line } = await makeReturned({ back: '92.50' })
  const { allocations } = await apply(line.id, [giveBack(debit, '92.50')])
  expect(await readActive(credit.id)).toMatchObject([{ refundDue: '100.00' }])
  expect(await readActive(debit.id)).toMatchObject([
    { purpose: 'return', amount: '92.50' },
    { purpose: 'ignored', amount: '7.50', code: 'fee' },
  ])
  expect((await audits(line)).at(-1)!.details).toMatchObject({ allocations: [{ closed: '7.50', closedAs: 'fee' }] })
  await undo(allocations[0]!.id)
  expect(await readActive(debit.id)).toMatchObject([{ purpose: 'refund', amount: '100.00' }])
})

test('more than a fee that did not come back needs a reason (product 7.10)', async () => {
  const { debit, line } = await makeReturned({ back: '40.00' })
  const words = '60.00 EUR less than was sent came back: give a reason to put that aside as a fee'
  expect((await readDetail(line.id)).candidates[0]).toMatchObject({ needsReason: words, transfer: { kept: '60.00' } })
  expect(await refuse(line.id, [giveBack(debit, '40.00')])).toEqual([400, 'invalid', words])
  await apply(line.id, [giveBack(debit, '40.00')], { reason: 'Told by the bank' })
})

test('of a transfer that paid several refunds the one of the amount is due again (product 7.10)', async () => {
  const { credits, debit, line } = await makeReturned({ refunds: ['60.00', '40.00'], sent: '100.00', back: '60.00' })
  await apply(line.id, [giveBack(debit, '60.00')])
  expect(await readActive(credits[0]!.id)).toMatchObject([{ refundDue: '60.00' }])
  expect(await readActive(credits[1]!.id)).toMatchObject([{ refundDue: '0.00' }])
})

test('a transfer that paid no refund yet can come back too (product 7.10)', async () => {
  const debit = await giro.makeLine({ ...payer, direction: 'debit' })
  const supplier = await giro.makeLine({ ...payer, direction: 'debit' })
  await apply(supplier.id, [{ purpose: 'ignored', amount: '100.00', code: 'outgoing' }])
  for (const transfer of [debit, supplier]) {
    const line = await giro.makeLine(payer)
    await apply(line.id, [giveBack(transfer)])
    expect(await readActive(transfer.id)).toMatchObject([{ purpose: 'return' }])
  }
})

test('a return is of a transfer of its account, currency and size (product 7.10)', async () => {
  const { credit, debit, line } = await makeReturned()
  const elsewhere = await savings.makeLine({ ...payer, direction: 'debit' })
  expect(await refuse(line.id, [giveBack(elsewhere)])).toEqual([
    409,
    'line_account',
    `That transfer left DE02120300000000202051, and this money came to ${specimenIban}: a transfer comes back to the account that it left`,
  ])
  expect(await refuse(line.id, [giveBack(credit)])).toEqual([
    409,
    'line_direction',
    'Only a transfer that went out can come back',
  ])
  expect((await refuse(debit.id, [giveBack(debit)]))[1]).toBe('line_direction')
  const large = await giro.makeLine({ ...payer, amount: '150.00' })
  expect(await refuse(large.id, [giveBack(debit, '150.00')])).toEqual([
    409,
    'line_amount',
    'Only 100.00 EUR of that transfer can have come back',
  ])
  await apply(line.id, [giveBack(debit)])
  expect((await refuse(large.id, [giveBack(debit)]))[2]).toBe('Only 0.00 EUR of that transfer can have come back')
})

test('money of another than the payee needs a reason to be a return (product 7.10)', async () => {
  const debit = await giro.makeLine({ ...payer, direction: 'debit' })
  const line = await giro.makeLine({ payerName: 'MIN-JUN KIM', payerAccount: 'GB82WEST12345698765432' })
  const [status, code, message] = await refuse(line.id, [giveBack(debit)])
  expect([status, code]).toEqual([400, 'payer_differs'])
  expect(message).toBe(
    'This returns a transfer to ANA LIMA (PT50000201231234567890154), and the money came from MIN-JUN KIM (GB82WEST12345698765432): give a reason to take it as returned',
  )
  const own = await giro.makeLine({ payerName: 'Meridian', payerAccount: specimenIban })
  await apply(own.id, [giveBack(debit)])
})

test('a return that is undone is found again, and the refund can be withdrawn (product 7.10)', async () => {
  const { order, credit, debit, line } = await makeReturned()
  await apply(line.id, [giveBack(debit)])
  const [refund] = await readActive(credit.id)
  await undo(refund!.id, 'She keeps it')
  expect((await listRefunds(order)).at(-1)![0]).toBe('withdrawn')
})
