import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { specimenIban } from '#test/support/bank-files.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { countStatements } from '#test/support/statement-count.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'
import { readAllocations } from './read-allocations.ts'

const server = await startServer()
const ada = server.as('ada')
const giro = await createStoredLines(server)
const savings = await createStoredLines(server, 'DE02120300000000202051')
const { apply, refuse, audits } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const kim = { payerName: 'MIN-JUN KIM', payerAccount: 'GB82WEST12345698765432' }
const office = { payerName: 'KANZLEI EBERT', payerAccount: 'PT50000201231234567890154' }
const takeBack = (lineId: string, amount = '100.00') => ({ purpose: 'reversal', lineId, amount })
const makeDebit = (given = {}) => giro.makeLine({ direction: 'debit', ...given })
async function find(lineId: string, search: string): Promise<Candidate[]> {
  const reply = await ada('GET', `/api/bank/lines/${lineId}/credits?search=${encodeURIComponent(search)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().candidates
}
const readDetail = async (id: string): Promise<BankLineDetail> => (await ada('GET', `/api/bank/lines/${id}`)).json()

test('a payment of another account of ours is not taken back (product 7.10)', async () => {
  const [credit, debit] = [await savings.makeLine(office), await makeDebit(kim)]
  expect(await refuse(debit.id, [takeBack(credit.id)], { reason: 'All the same' })).toEqual([
    409,
    'line_account',
    `That payment came to DE02120300000000202051, and this money left ${specimenIban}: a bank takes back only what it booked on the same account`,
  ])
  expect((await readDetail(debit.id)).allocations).toEqual([])
})

test('a payment of another account is offered to be paid back alone (product 5.13)', async () => {
  const [credit, debit] = [await savings.makeLine({ ...office, amount: '81.00' }), await makeDebit({ amount: '81.00' })]
  expect(await find(debit.id, '81.00')).toEqual([])
  await apply(credit.id, [{ purpose: 'refund', amount: '30.00', cause: 'overpaid' }])
  expect(await find(debit.id, '81.00')).toMatchObject([{ kind: 'refund', credits: [{ lineId: credit.id }] }])
})

test('a return does not propose the payment of another account (product 7.12)', async () => {
  const order = await makeOrder(server, member.id, { investmentAmount: '82.00' })
  const named = { amount: '82.00', endToEndId: 'E2E-82', ...office }
  const [elsewhere, here] = [await savings.makeLine(named), await giro.makeLine(named)]
  await apply(elsewhere.id, [payOrder(order, '82.00')], { reason: 'Her office' })
  const debit = await makeDebit({ ...named, isReversal: true })
  const { candidates } = await readDetail(debit.id)
  expect(candidates).toMatchObject([
    { kind: 'reversal', credits: [{ lineId: here.id, accountId: giro.account.id, accountName: 'Giro' }] },
  ])
})

const needed =
  'This takes back a payment of KANZLEI EBERT (PT50000201231234567890154), and the money went to ' +
  'MIN-JUN KIM (GB82WEST12345698765432): give a reason to take it back'

test('taking back where the money went to another needs a reason (product 7.10)', async () => {
  const [credit, debit] = [
    await giro.makeLine({ ...office, amount: '83.00' }),
    await makeDebit({ ...kim, amount: '83.00' }),
  ]
  const [candidate] = await find(debit.id, '83.00')
  expect(candidate).toMatchObject({ kind: 'reversal', needsReason: needed })
  expect(candidate!.reasons).toContainEqual({ text: 'The money went to another than the payer', speaks: 'against' })
  expect(await refuse(debit.id, [takeBack(credit.id, '83.00')])).toEqual([400, 'payer_differs', needed])
  await apply(debit.id, [takeBack(credit.id, '83.00')], { reason: 'Told by the bank' })
  expect((await audits(debit)).at(-1)!.details).toMatchObject({ allocations: [{ toOtherAccount: true }] })
})

test('names tell the payee where an account is not known (product 7.10)', async () => {
  const nameOnly = { payerName: 'Kim Min-jun', payerAccount: null }
  const [credit, debit] = [await giro.makeLine(office), await makeDebit(nameOnly)]
  expect((await refuse(debit.id, [takeBack(credit.id)]))[1]).toBe('payer_differs')
  const own = await giro.makeLine(kim)
  await apply(debit.id, [takeBack(own.id)])
})

test('a return that names us, or nobody, needs no reason (product 7.10)', async () => {
  for (const payee of [{ payerName: 'Meridian', payerAccount: specimenIban }, { payerName: null }]) {
    const [credit, debit] = [await giro.makeLine(office), await makeDebit(payee)]
    await apply(debit.id, [takeBack(credit.id)])
  }
})

test('the parts of a line take as many statements for three as for one (product 7.10)', async () => {
  const orders = await Promise.all(Array.from({ length: 3 }, () => makeOrder(server, member.id)))
  const makeTakenBack = async (count: number) => {
    const credits = await Promise.all(Array.from({ length: count }, () => giro.makeLine()))
    for (const [at, { id }] of credits.entries()) await apply(id, [payOrder(orders[at]!, '20.00')])
    const debit = await makeDebit({ amount: `${count}00.00` })
    await apply(
      debit.id,
      credits.map(({ id }) => takeBack(id, '90.00')),
    )
    return debit
  }
  const [one, three] = [await makeTakenBack(1), await makeTakenBack(3)]
  const { db } = server.services.database
  const allocations = await readAllocations(db, three.id)
  expect(allocations.map(({ restores }) => restores.length)).toEqual([1, 1, 1])
  const ofOne = await countStatements(() => readAllocations(db, one.id))
  expect(ofOne).toBeGreaterThan(3)
  expect(await countStatements(() => readAllocations(db, three.id))).toBe(ofOne)
})
