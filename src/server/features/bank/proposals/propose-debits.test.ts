import { beforeEach, expect, test } from 'vitest'
import { buildRefundText } from '#contract/refund-text.ts'
import type { BankLine } from '#contract/schemas/bank.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
await createBankCaller(server).addAccount()
const { apply, undo } = createAllocationCaller(server)
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const propose = () => runJob(server.services, 'propose-matches')

const readLine = async (id: string) => (await ada('GET', `/api/bank/lines/${id}`)).json<{ line: BankLine }>().line
/** What is stored for a line after a pass. */
async function proposed(id: string) {
  await propose()
  const { suggestion, outcome } = await readLine(id)
  return [suggestion, outcome]
}
type Payment = Parameters<typeof importPayments>[1]
const importOne = async (payment: Payment) => (await importPayments(server, payment))[0]!

const ibans = ['NL91ABNA0417164300', 'BE68539007547034', 'PT50000201231234567890154', 'FR1420041010050500013M02606']
let used = 0
/** A payment that came in from an account of its own, and a transfer to that account. */
async function makePair(transfer: string) {
  const iban = ibans[used++]!
  const [credit, debit] = (await importPayments(
    server,
    { text: 'hello', payer: 'Nobody Known', iban },
    { text: 'sorry', payer: 'Nobody Known', iban, amount: transfer, direction: 'DBIT' },
  )) as [string, string]
  return { credit, debit }
}
const refund = (amount: string) => ({ purpose: 'refund', amount, cause: 'late' })
const outgoing = ['unmatched', 'outgoing']

// From here on changes are followed.
beforeEach(propose)

test('money out is proposed again when a refund of no order falls due (product 7.12)', async () => {
  const { credit, debit } = await makePair('40.00')
  expect(await proposed(debit)).toEqual(outgoing)
  const { allocations } = await apply(credit, [refund('40.00')])
  expect(await proposed(debit)).toEqual(['check', 'refund'])
  await undo(allocations[0]!.id)
  expect(await proposed(debit)).toEqual(outgoing)
})

test('money out is proposed again when another transfer paid the refund (product 7.12)', async () => {
  const { credit, debit } = await makePair('40.00')
  await apply(credit, [refund('40.00')])
  expect(await proposed(debit)).toEqual(['check', 'refund'])
  const other = await importOne({ text: 'by hand', amount: '40.00', direction: 'DBIT' })
  await apply(other, [{ purpose: 'refund', lineId: credit, amount: '40.00' }])
  expect(await proposed(debit)).toEqual(outgoing)
})

test('money out is proposed again when a reversal is undone (product 7.12)', async () => {
  const { credit, debit } = await makePair('100.00')
  const order = await makeOrder(server, ana.id, { investmentAmount: '100.00' })
  await apply(credit, [payOrder(order, '100.00')], { reason: 'A friend of hers' })
  const other = await importOne({ text: 'taken back', direction: 'DBIT' })
  const { allocations } = await apply(other, [{ purpose: 'reversal', lineId: credit, amount: '100.00' }])
  expect(await proposed(debit)).toEqual(outgoing)
  await undo(allocations[0]!.id)
  expect(await proposed(debit)).toEqual(['check', 'refund'])
})

test('money out finds the payment that a later file brings, until that is undone (product 7.12)', async () => {
  const iban = ibans[used++]!
  const debit = await importOne({ text: 'back', payer: 'Zoe', iban, amount: '61.00', direction: 'DBIT' })
  expect(await proposed(debit)).toEqual(outgoing)
  await importOne({ text: 'late', payer: 'Zoe', iban, amount: '61.00' })
  expect(await proposed(debit)).toEqual(['check', 'refund'])
  const [file] = (await ada('GET', '/api/bank/imports?page=1&limit=1')).json().imports
  const undone = await ada('POST', `/api/bank/imports/${file.id}/undo`, { reason: 'The wrong file' })
  expect(undone.statusCode, undone.body).toBe(200)
  expect(await proposed(debit)).toEqual(outgoing)
})

test('the text of a refund finds its payment, without account and name (product 7.12)', async () => {
  const order = await makeOrder(server, ana.id, { orderNumber: 'ORD-0551234', investmentAmount: '100.00' })
  for (const [amount, meantFor] of [
    ['75.50', { orderId: order.id }],
    ['76.50', {}],
  ] as const) {
    const credit = await importOne({ text: 'hello', payer: 'Somebody', amount })
    const { allocations } = await apply(credit, [{ ...refund(amount), ...meantFor }])
    const text = buildRefundText(await readLine(credit)).toUpperCase()
    expect(text).toContain('orderId' in meantFor ? 'REFUND ORD-0551234' : 'REFUND OF 76.50 EUR OF')
    const debit = await importOne({ text, amount, direction: 'DBIT' })
    expect(await proposed(debit)).toEqual(['check', 'refund'])
    const [candidate] = (await ada('GET', `/api/bank/lines/${debit}`)).json().candidates
    expect(candidate).toMatchObject({ credits: [{ lineId: credit }], isLikely: true })
    expect(candidate.reasons.map((reason: { text: string }) => reason.text)).toContain('Has the text of its refund')
    await undo(allocations[0]!.id)
  }
})
