import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { bankPolicy } from '#server/db/tables/bank-allocations.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply, refuse, audits } = createAllocationCaller(server)
const paul = { payerName: 'PAUL STEIN', payerAccount: 'DE02120300000000202051' }
const nina = { payerName: 'NINA ROTH', payerAccount: 'PT50000201231234567890154' }
const payBack = (lineId: string, amount: string) => ({ purpose: 'refund', lineId, amount })
const makeDebit = (given = {}) => makeLine({ direction: 'debit', ...given })

/** A credit that is to be paid back whole. */
async function makeDue(given: object) {
  const credit = await makeLine(given)
  await apply(credit.id, [{ purpose: 'refund', amount: credit.amount, cause: 'overpaid' }])
  return credit
}
const readDue = async (id: string) => {
  const detail: BankLineDetail = (await ada('GET', `/api/bank/lines/${id}`)).json()
  return detail.allocations.map(({ refundDue }) => refundDue)
}
const needed =
  'This pays money of PAUL STEIN (DE02120300000000202051) to the account of NINA ROTH (PT50000201231234567890154): ' +
  'give a reason to pay it back to another account'

test('a refund to another account than the payment came from needs a reason (product 7.10)', async () => {
  const [credit, debit] = [await makeDue(paul), await makeDebit(nina)]
  expect(await refuse(debit.id, [payBack(credit.id, '100.00')])).toEqual([400, 'payer_differs', needed])
  expect((await refuse(debit.id, [payBack(credit.id, '100.00')], { reason: ' ' }))[1]).toBe('payer_differs')
  expect(await readDue(credit.id)).toEqual(['100.00'])
  const { allocations } = await apply(debit.id, [payBack(credit.id, '100.00')], { reason: 'His wife, by his letter' })
  expect(allocations).toMatchObject([{ reason: 'His wife, by his letter' }])
  expect((await audits(debit)).at(-1)!.details).toMatchObject({
    allocations: [{ purpose: 'refund', toOtherAccount: true }],
    reason: 'His wife, by his letter',
  })
})

test('of one transfer for two payers nothing is paid back without a reason (product 7.10)', async () => {
  const [own, other] = [await makeDue({ ...nina, amount: '70.00' }), await makeDue({ ...paul, amount: '30.00' })]
  const debit = await makeDebit(nina)
  const allocations = [payBack(own.id, '70.00'), payBack(other.id, '30.00')]
  expect(await refuse(debit.id, allocations)).toEqual([400, 'payer_differs', needed])
  expect([await readDue(own.id), await readDue(other.id)]).toEqual([['70.00'], ['30.00']])
  await apply(debit.id, allocations, { reason: 'Both asked for it' })
  expect((await audits(debit)).at(-1)!.details.allocations).toEqual([
    expect.not.objectContaining({ toOtherAccount: true }),
    expect.objectContaining({ toOtherAccount: true }),
  ])
})

test('a refund to the account that paid, or to one that is not known, needs no reason (product 7.10)', async () => {
  for (const payee of [{ ...paul, payerName: 'P. STEIN' }, { payerAccount: '0000202051' }, { payerAccount: null }]) {
    const [credit, debit] = [await makeDue(paul), await makeDebit(payee)]
    await apply(debit.id, [payBack(credit.id, '100.00')])
  }
})

test('a proposed refund to another account asks for its reason (product 7.12)', async () => {
  const [credit, debit] = [
    await makeDue({ ...paul, amount: '77.10', endToEndId: 'E2E-77' }),
    await makeDebit({ ...nina, amount: '77.10', endToEndId: 'E2E-77' }),
  ]
  const { candidates }: BankLineDetail = (await ada('GET', `/api/bank/lines/${debit.id}`)).json()
  expect(candidates[0]).toMatchObject({ kind: 'refund', credits: [{ lineId: credit.id }], needsReason: needed })
})

test('the policy may pay back to another account without a reason (product 7.11)', async () => {
  const { db } = server.services.database
  await db.update(bankPolicy).set({ reasonForThirdParty: false })
  const [credit, debit] = [await makeDue(paul), await makeDebit(nina)]
  await apply(debit.id, [payBack(credit.id, '100.00')])
  await db.update(bankPolicy).set({ reasonForThirdParty: true })
})
