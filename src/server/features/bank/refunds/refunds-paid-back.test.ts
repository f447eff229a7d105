import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, undo, refuse, audits } = createAllocationCaller(server)
const makeDebit = (amount: string) => makeLine({ direction: 'debit', amount })
const payBack = (lineId: string, amount: string, more = {}) => ({ purpose: 'refund', lineId, amount, ...more })
const readLine = async (id: string) =>
  (await server.sql('SELECT state, allocated FROM bank_lines WHERE id = $1', [id]))[0]!
const readDetail = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()
/** The active allocations of a line, the earliest first. */
const readActive = async (id: string) =>
  (await readDetail(id)).allocations.filter(({ undoneAt }) => undoneAt === null).toReversed()

/** A credit that is to be paid back in these allocations. */
async function makeDue(...amounts: string[]) {
  const credit = await makeLine()
  await apply(
    credit.id,
    amounts.map((amount) => ({ purpose: 'refund', amount, cause: 'overpaid' })),
  )
  return credit
}

test('one transfer pays several refunds back, and a fee (product 7.10)', async () => {
  const [one, two, debit] = [await makeDue('100.00'), await makeDue('40.00'), await makeDebit('141.50')]
  const { line, allocations } = await apply(debit.id, [
    payBack(one.id, '100.00'),
    payBack(two.id, '40.00'),
    { purpose: 'ignored', amount: '1.50', code: 'fee' },
  ])
  expect([line.state, allocations.length]).toEqual(['settled', 3])
  for (const { id } of [one, two]) expect(await readActive(id)).toMatchObject([{ refundDue: '0.00' }])
})

test('of several parts none is written where one is refused (product 7.10)', async () => {
  const [one, two, debit] = [await makeDue('100.00'), await makeDue('40.00'), await makeDebit('150.00')]
  expect(await refuse(debit.id, [payBack(one.id, '100.00'), payBack(two.id, '50.00')])).toEqual([
    409,
    'line_amount',
    'Only 40.00 EUR of that line are to be paid back',
  ])
  expect(await readLine(debit.id)).toMatchObject({ state: 'open' })
  expect(await readActive(one.id)).toMatchObject([{ refundDue: '100.00' }])
})

test('what is less than a refund leaves the rest due (product 7.10)', async () => {
  const [credit, debit] = [await makeDue('100.00'), await makeDebit('98.50')]
  await apply(debit.id, [payBack(credit.id, '98.50')])
  expect(await readActive(credit.id)).toMatchObject([{ purpose: 'refund', amount: '100.00', refundDue: '1.50' }])
})

test('the rest of a refund is closed as a fee by who says so (product 7.10)', async () => {
  const [credit, debit] = [await makeDue('100.00'), await makeDebit('98.50')]
  await apply(debit.id, [payBack(credit.id, '98.50', { closeAs: 'fee' })])
  expect(await readActive(credit.id)).toMatchObject([
    { purpose: 'refund', amount: '98.50', refundDue: '0.00', cause: 'overpaid' },
    { purpose: 'ignored', amount: '1.50', code: 'fee' },
  ])
  expect(await readLine(credit.id)).toEqual({ state: 'settled', allocated: '100.00' })
  expect((await audits(debit)).at(-1)!.details).toMatchObject({
    allocations: [{ purpose: 'refund', amount: '98.50', closed: '1.50', closedAs: 'fee' }],
  })
})

test('of several refunds of a line the latest are closed (product 7.10)', async () => {
  const [credit, debit] = [await makeDue('50.00', '30.00', '20.00'), await makeDebit('60.00')]
  await apply(debit.id, [payBack(credit.id, '60.00', { closeAs: 'small_difference' })])
  expect(await readActive(credit.id)).toMatchObject([
    { purpose: 'refund', amount: '50.00', refundDue: '0.00' },
    { purpose: 'refund', amount: '10.00', refundDue: '0.00' },
    { purpose: 'ignored', amount: '40.00', code: 'small_difference' },
  ])
})

test('undoing a refund that closed its rest makes all of it due again (product 7.10)', async () => {
  const [credit, debit] = [await makeDue('60.00', '40.00'), await makeDebit('30.00')]
  const { allocations } = await apply(debit.id, [payBack(credit.id, '30.00', { closeAs: 'fee' })])
  const { restored } = await undo(allocations[0]!.id)
  expect(restored).toMatchObject([
    { purpose: 'refund', amount: '60.00', refusal: null },
    { purpose: 'refund', amount: '40.00', refusal: null },
  ])
  expect(await readActive(credit.id)).toMatchObject([
    { purpose: 'refund', amount: '60.00', refundDue: '60.00' },
    { purpose: 'refund', amount: '40.00', refundDue: '40.00' },
  ])
  expect(await readLine(debit.id)).toMatchObject({ state: 'open' })
})

test('a closed rest that was used meanwhile is not due again (product 7.10)', async () => {
  const [credit, debit] = [await makeDue('100.00'), await makeDebit('98.50')]
  const { allocations } = await apply(debit.id, [payBack(credit.id, '98.50', { closeAs: 'fee' })])
  await undo((await readActive(credit.id))[1]!.id)
  await apply(credit.id, [{ purpose: 'ignored', amount: '1.50', code: 'other_business' }])
  const { restored } = await undo(allocations[0]!.id)
  expect(restored).toMatchObject([{ amount: '100.00', refusal: 'Only 98.50 EUR of its line are open' }])
  expect(await readActive(credit.id)).toMatchObject([
    { purpose: 'refund', amount: '98.50', refundDue: '98.50' },
    { purpose: 'ignored', amount: '1.50', code: 'other_business' },
  ])
})

test('a refund of money that came in closes nothing (product 9.10)', async () => {
  const credit = await makeLine()
  const allocation = { purpose: 'refund', amount: '10.00', cause: 'late', closeAs: 'fee' }
  expect(await refuse(credit.id, [allocation])).toEqual([
    400,
    'invalid',
    'allocations.0.closeAs: is for money that went out',
  ])
})

test('an amount has no more places than its line (product 9.10)', async () => {
  const debit = await makeDebit('20.00')
  expect(await refuse(debit.id, [{ purpose: 'ignored', amount: '10.005', code: 'fee' }])).toEqual([
    400,
    'invalid',
    'allocations.0.amount: has at most 2 places, as its line',
  ])
  const exact = await makeDebit('20.005')
  await apply(exact.id, [{ purpose: 'ignored', amount: '10.005', code: 'fee' }])
})
