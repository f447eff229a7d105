import { beforeEach, expect, test } from 'vitest'
import type { BankLine } from '#contract/schemas/bank.ts'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const giro = await createStoredLines(server)
const savings = await createStoredLines(server, 'DE02120300000000202051')
const { apply, undo } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const propose = () => runJob(server.services, 'propose-matches')
beforeEach(propose)

const read = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()
/** The transfer that the first candidate of a line returns. */
async function readTransferId(id: string): Promise<string | undefined> {
  const [first] = (await read(id)).candidates
  return first?.kind === 'return' ? first.transfer.lineId : undefined
}
/** What is stored for a line after a pass. */
async function proposed(id: string) {
  await propose()
  const { outcome, flags, suggestion } = await read(id).then(({ line }): BankLine => line)
  return { outcome, flags, suggestion }
}
async function find(id: string, search = ''): Promise<Candidate[]> {
  const reply = await ada('GET', `/api/bank/lines/${id}/credits?search=${encodeURIComponent(search)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().candidates
}

let made = 0
/** An order that was paid twice, and the transfer that paid the second payment back. */
async function makeRefunded(amount: string) {
  const digits = String(30_000 + ++made)
  const order = await makeOrder(server, member.id, { orderNumber: `ORD-0${digits}`, investmentAmount: amount })
  const payer = { payerName: 'ANA LIMA', payerAccount: `PT5000020123123456789${digits}`, amount }
  const remittance = [order.orderNumber]
  const [first, second] = [await giro.makeLine({ ...payer, remittance }), await giro.makeLine({ ...payer, remittance })]
  await apply(first.id, [payOrder(order, amount)])
  await apply(second.id, [{ purpose: 'refund', orderId: order.id, amount, cause: 'duplicate' }])
  const endToEndId = `REF-${digits}`
  const text = { remittance: [`Refund ${order.orderNumber}`] }
  const transfer = await giro.makeLine({ ...payer, ...text, direction: 'debit', endToEndId })
  const { allocations } = await apply(transfer.id, [{ purpose: 'refund', lineId: second.id, amount }])
  return { order, payer, endToEndId, second, transfer, refunded: allocations[0]! }
}

test('a returned refund is proposed first, and is not a payment made twice (product 7.12)', async () => {
  const { order, payer, endToEndId, transfer } = await makeRefunded('91.00')
  const line = await giro.makeLine({
    ...payer,
    endToEndId,
    remittance: [`RETURN Refund ${order.orderNumber}`],
    details: { returnReason: 'AC04' },
  })
  expect(await proposed(line.id)).toEqual({ outcome: 'return', flags: [], suggestion: 'check' })
  const { candidates, equallyGood, line: shown } = await read(line.id)
  const [first, ...others] = candidates
  expect([first!.isLikely, equallyGood]).toEqual([true, 1])
  expect(first).toMatchObject({
    kind: 'return',
    transfer: { lineId: transfer.id, dueAgain: [{ amount: '91.00', orders: [{ id: order.id }] }] },
  })
  expect(first!.reasons.map(({ text }) => text)).toContain('The bank returned it: the account is closed (AC04)')
  expect(others).toMatchObject([{ kind: 'order', outcome: 'duplicate' }])
  expect(shown.returnReason).toBe('AC04')
})

test('the end-to-end id of a refund is enough, that of its payment is not (product 7.12)', async () => {
  const { payer, endToEndId, second, transfer } = await makeRefunded('92.00')
  const line = await giro.makeLine({ amount: payer.amount, payerName: null, endToEndId })
  expect(await readTransferId(line.id)).toBe(transfer.id)
  await server.sql('UPDATE bank_lines SET end_to_end_id = $1 WHERE id = $2', [endToEndId, second.id])
  expect(await readTransferId(line.id)).toBeUndefined()
})

test('account and amount count with a return code or word, for 60 days (product 7.12)', async () => {
  const { payer, transfer } = await makeRefunded('93.00')
  const transferOf = async (given: object) => readTransferId((await giro.makeLine({ ...payer, ...given })).id)
  expect(await transferOf({})).toBeUndefined()
  expect(await transferOf({ info: ['SEPA RETOURE'] })).toBe(transfer.id)
  expect(await transferOf({ isReversal: true })).toBe(transfer.id)
  for (const code of ['PMNT/RCDT/RRTN', 'NRTI', '159'])
    expect(await transferOf({ details: { code } }), code).toBe(transfer.id)
  expect(await transferOf({ isReversal: true, bookedOn: '2027-12-31' })).toBeUndefined()
  expect(await transferOf({ info: ['SEPA RETOURE'], amount: '80.00' })).toBe(transfer.id)
  expect(await transferOf({ isReversal: true, amount: '94.00' })).toBeUndefined()
})

test('only a transfer of the same bank account comes back (product 7.12)', async () => {
  const { payer, endToEndId } = await makeRefunded('95.00')
  const line = await savings.makeLine({ ...payer, endToEndId, isReversal: true })
  const { candidates } = await read(line.id)
  expect(candidates.filter(({ kind }) => kind === 'return')).toEqual([])
  expect(await find(line.id, '95.00')).toEqual([])
})

test('a return is never applied together with others (product 7.11)', async () => {
  const order = await makeOrder(server, member.id, { orderNumber: 'ORD-0777888', investmentAmount: '96.00' })
  const line = await giro.makeLine({
    amount: '96.00',
    remittance: [order.orderNumber],
    details: { returnReason: 'MS03' },
  })
  expect(await read(line.id)).toMatchObject({ obstacle: 'The bank calls the line a return' })
})

test('transfers are found for money in by payee, amount and order (product 5.13)', async () => {
  const { order, payer, transfer } = await makeRefunded('97.00')
  const line = await giro.makeLine({ amount: '97.00', payerName: 'NOVO BANCO' })
  for (const search of ['', '97.00', order.orderNumber, payer.payerAccount])
    expect(await find(line.id, search), search).toMatchObject([
      { kind: 'return', transfer: { lineId: transfer.id, payeeName: 'ANA LIMA', returnable: '97.00', kept: '0.00' } },
    ])
})

test('a return is proposed again as its transfer changes (product 7.12)', async () => {
  const { payer, endToEndId, transfer, refunded } = await makeRefunded('98.00')
  const line = await giro.makeLine({ ...payer, payerName: 'Nobody', payerAccount: null, endToEndId })
  expect((await proposed(line.id)).outcome).toBe('return')
  await undo(refunded.id)
  expect((await proposed(line.id)).outcome).not.toBe('return')
  const { allocations } = await apply(transfer.id, [
    { purpose: 'refund', lineId: refunded.otherLineId, amount: '98.00' },
  ])
  expect(allocations).toHaveLength(1)
  expect((await proposed(line.id)).outcome).toBe('return')
})

test('a return finds the transfer that a later file brings (product 7.12)', async () => {
  const line = await giro.makeLine({ amount: '99.00', payerName: 'Nobody', endToEndId: 'LATE-1', isReversal: true })
  expect((await proposed(line.id)).outcome).toBe('unmatched')
  await giro.makeLine({ amount: '99.00', payerName: 'Zoe', endToEndId: 'LATE-1', direction: 'debit' })
  expect((await proposed(line.id)).outcome).toBe('return')
})
