import { expect, test } from 'vitest'
import type { BankLineDetail } from '#contract/schemas/bank-allocations.ts'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { importPayments } from '#test/support/bank-payments.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const account = await createBankCaller(server).addAccount()
const ana = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
let made = 10_240
const makeNamedOrder = (more: Parameters<typeof makeOrder>[2] = {}) =>
  makeOrder(server, ana.id, { orderNumber: `ORD-0${(made += 11)}`, investmentAmount: '100.00', ...more })

async function readDetail(id: string): Promise<BankLineDetail> {
  const reply = await ada('GET', `/api/bank/lines/${id}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
async function buildProposal(payment: Parameters<typeof importPayments>[1]) {
  const [id] = await importPayments(server, payment)
  return readDetail(id!)
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()

test('a line shows the order that it names, with the reasons (product 7.12)', async () => {
  const order = await makeNamedOrder()
  const detail = await buildProposal({
    text: `Invest ${order.orderNumber.replace('-', ' ')} thanks`,
    payer: 'ANA LIMA',
  })
  expect(detail).toMatchObject({ equallyGood: 1, obstacle: null, claim: null, allocations: [] })
  expect(detail.line).toMatchObject({ amount: '100.00', accountId: account.id })
  const [first] = detail.candidates
  expect(first).toMatchObject({
    kind: 'order',
    outcome: 'exact',
    flags: [],
    isLikely: true,
    refusal: null,
    needsReason: null,
    allocations: [{ orderId: order.id, amount: '100.00' }],
    orders: [
      {
        id: order.id,
        orderNumber: order.orderNumber,
        userId: ana.id,
        userFirstName: 'Ana',
        userEmail: ana.email,
        userBanned: false,
        investmentAmount: '100.00',
        received: '0.00',
        outstanding: '100.00',
        status: 'waiting_payment',
        paidVia: null,
      },
    ],
  })
  expect(first!.reasons).toEqual(
    expect.arrayContaining([
      { text: 'Names the order number', speaks: 'for' },
      { text: 'The amount is exact', speaks: 'for' },
    ]),
  )
  expect(detail.found).toEqual([
    { text: order.orderNumber.replace('-', ' '), kind: 'number', orderNumber: order.orderNumber },
  ])
})

test('a payer who is not the member needs a reason, and says which', async () => {
  const order = await makeNamedOrder()
  const { candidates, obstacle } = await buildProposal({ text: order.orderNumber, payer: 'RUI LIMA' })
  expect(candidates[0]).toMatchObject({
    flags: ['third_party'],
    refusal: null,
    needsReason: 'RUI LIMA is not Ana Lima: give a reason to take this payment',
  })
  expect(obstacle).toBe('Another than the member paid')
})

test('a reason against is told from one for', async () => {
  const order = await makeNamedOrder()
  const { candidates } = await buildProposal({ text: order.orderNumber, payer: 'RUI LIMA', amount: '500.00' })
  expect(candidates[0]!.reasons).toContainEqual({ text: 'Much more than the order asks for', speaks: 'against' })
})

test.each([
  [
    'a cancelled order',
    { status: 'cancelled', statusChangedBy: 'ada' },
    'cancelled_order',
    /^Order ORD-\d+ is cancelled \(set by ada/,
  ],
  [
    'an order in another currency',
    { currency: 'CHF' },
    'wrong_currency',
    /^Order ORD-\d+ asks for CHF, the bank booked EUR$/,
  ],
  ['an order that ended long ago', { status: 'expired', expiresAt: daysAgo(9) }, 'late', /^Order ORD-\d+ expired on /],
  [
    'an order that the bank paid',
    { status: 'paid', paidVia: 'bank', received: '100.00' },
    'duplicate',
    /^Order ORD-\d+ is paid/,
  ],
] as const)('%s is shown with what forbids to apply it', async (_name, more, outcome, refusal) => {
  const order = await makeNamedOrder({ createdAt: daysAgo(20), ...more })
  const { candidates, obstacle } = await buildProposal({ text: order.orderNumber, payer: 'ANA LIMA' })
  expect(candidates[0]).toMatchObject({ outcome, refusal: expect.stringMatching(refusal) })
  expect(obstacle).not.toBeNull()
})

test('an order that expired yesterday takes money that was booked in time', async () => {
  const order = await makeNamedOrder({ status: 'expired', createdAt: daysAgo(5), expiresAt: daysAgo(1) })
  const { candidates } = await buildProposal({
    text: order.orderNumber,
    payer: 'ANA LIMA',
    day: daysAgo(1).slice(0, 10),
  })
  expect(candidates[0]).toMatchObject({ outcome: 'late', refusal: null })
})

test('an order that was marked paid by hand is offered for the line behind it', async () => {
  const order = await makeNamedOrder({ status: 'paid', paidVia: 'hand' })
  const { candidates, obstacle } = await buildProposal({ text: order.orderNumber, payer: 'ANA LIMA' })
  expect(candidates[0]).toMatchObject({
    outcome: 'exact',
    refusal: null,
    allocations: [{ orderId: order.id, amount: '100.00' }],
    reasons: expect.arrayContaining([{ text: 'Already marked paid by hand: attach', speaks: 'check' }]),
  })
  expect(obstacle).toBe('The order waits no longer')
})

test('an order that an operator searched for is scored, whatever the line says', async () => {
  const order = await makeNamedOrder()
  const [id] = await importPayments(server, { text: 'nothing', payer: 'PEDRO NUNES' })
  expect((await readDetail(id!)).candidates).toEqual([])
  const reply = await ada('POST', `/api/bank/lines/${id}/score`, { orderId: order.id })
  const { candidate } = reply.json() as { candidate: Candidate }
  expect(candidate).toMatchObject({
    outcome: 'exact',
    allocations: [{ orderId: order.id, amount: '100.00' }],
    isLikely: false,
  })
  expect((await ada('POST', `/api/bank/lines/${id}/score`, { orderId: '999999' })).statusCode).toBe(404)
})

test('a line that there is not is answered with 404', async () => {
  for (const id of ['999999', 'x', '0'])
    expect((await ada('GET', `/api/bank/lines/${id}`)).json()).toMatchObject({ message: 'Bank line not found' })
})

test('a payment from another account than the usual ones names those (product 5.13)', async () => {
  const [usual, other] = ['DE89370400440532013000', 'DE39370400440533013000']
  const zoe = await makeMember(server, { legalFirstName: 'Zoe', legalLastName: 'Aalto' })
  const orders = await Promise.all(
    ['61.00', '62.00', '63.00'].map((investmentAmount) => makeOrder(server, zoe.id, { investmentAmount })),
  )
  const readFirst = async (at: number, iban: string) => {
    const detail = await buildProposal({
      amount: `6${at + 1}.00`,
      text: orders[at]!.orderNumber,
      payer: 'ZOE AALTO',
      iban,
    })
    return { id: detail.line.id, first: detail.candidates[0]! }
  }
  const { id, first } = await readFirst(0, usual)
  expect(first).toMatchObject({ usualAccounts: [] })
  const body = { allocations: [{ purpose: 'order', orderId: orders[0]!.id, amount: '61.00' }] }
  expect((await ada('POST', `/api/bank/lines/${id}/allocations`, body)).statusCode).toBe(200)
  expect((await readFirst(1, other)).first).toMatchObject({
    usualAccounts: [usual],
    orders: [{ userEmail: zoe.email }],
  })
  expect((await readFirst(2, usual)).first).toMatchObject({ usualAccounts: [] })
})
