import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
await createBankCaller(server).addAccount()
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const propose = () => runJob(server.services, 'propose-matches')
const readReasons = async (id: string) => {
  const { candidates }: BankLineDetail = (await ada('GET', `/api/bank/lines/${id}`)).json()
  return candidates[0]!.reasons.filter(({ text }) => text.startsWith('Another open payment'))
}

test('two equal payments for one waiting order each say the other (product 5.13)', async () => {
  const order = await makeOrder(server, ana.id, { investmentAmount: '910.00' })
  const given = { amount: '910.00', text: order.orderNumber, payer: 'ANA LIMA' }
  const [first, second, smaller] = await importPayments(
    server,
    { ...given, day: '2026-11-02' },
    { ...given, day: '2026-11-04', payer: 'A LIMA' },
    { ...given, amount: '10.00' },
  )
  await propose()
  const say = (payer: string, day: string) => [
    { text: `Another open payment of this amount is proposed for it too, by ${payer} of ${day}`, speaks: 'against' },
  ]
  expect(await readReasons(first!)).toEqual(say('A LIMA', 'Nov 04, 2026'))
  expect(await readReasons(second!)).toEqual(say('ANA LIMA', 'Nov 02, 2026'))
  expect(await readReasons(smaller!)).toEqual([])
})

test('a payment that has its purpose is no other open one (product 5.13)', async () => {
  const order = await makeOrder(server, ana.id, { investmentAmount: '911.00' })
  const given = { amount: '911.00', text: order.orderNumber, payer: 'ANA LIMA' }
  const [first, second] = await importPayments(server, given, { ...given, payer: 'A LIMA' })
  await propose()
  const allocations = [{ purpose: 'ignored', amount: '911.00', code: 'other_business' }]
  expect((await ada('POST', `/api/bank/lines/${second}/allocations`, { allocations })).statusCode).toBe(200)
  expect(await readReasons(first!)).toEqual([])
})
