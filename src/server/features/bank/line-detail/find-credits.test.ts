import { expect, test } from 'vitest'
import type { Candidate } from '#contract/schemas/bank-candidates.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply } = createAllocationCaller(server)
const member = await makeMember(server, { legalFirstName: 'Ana', legalLastName: 'Lima' })
const order = await makeOrder(server, member.id, { investmentAmount: '60.00', orderNumber: 'ORD-77001' })

/** 60.00 EUR of an order, and 40.00 EUR to be paid back. */
const mixed = await makeLine({ bookedOn: '2026-11-03', payerAccount: 'DE02120300000000202051' })
await apply(mixed.id, [payOrder(order, '60.00'), { purpose: 'refund', amount: '40.00', cause: 'overpaid' }])
const due = await makeLine({ bookedOn: '2026-11-04', amount: '75.00', payerName: 'Rui Faria', endToEndId: 'E2E-555' })
await apply(due.id, [{ purpose: 'refund', amount: '75.00', cause: 'late' }])
const open = await makeLine({ bookedOn: '2026-11-05', amount: '33.00', payerName: 'Zoë Ng' })
/** Paid back whole, in another currency, later than the debit, and not booked. */
const gone = await makeLine({ bookedOn: '2026-11-05', amount: '11.00', payerName: 'Zoë Ng' })
await apply(gone.id, [{ purpose: 'refund', amount: '11.00', cause: 'late' }])
const payment = await makeLine({ direction: 'debit', amount: '11.00' })
await apply(payment.id, [{ purpose: 'refund', lineId: gone.id, amount: '11.00' }])
await makeLine({ bookedOn: '2026-11-05', amount: '33.00', payerName: 'Zoë Ng', currency: 'CHF' })
await makeLine({ bookedOn: '2026-11-07', amount: '33.00', payerName: 'Zoë Ng' })
await makeLine({ bookedOn: '2026-11-05', amount: '33.00', payerName: 'Zoë Ng', booking: 'pending' })
const debit = await makeLine({ bookedOn: '2026-11-06', direction: 'debit', amount: '115.00', payerName: 'Rui Faria' })

async function find(search?: string, lineId = debit.id): Promise<Candidate[]> {
  const query = search === undefined ? '' : `?search=${encodeURIComponent(search)}`
  const reply = await ada('GET', `/api/bank/lines/${lineId}/credits${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json().candidates
}
const summarize = (candidates: Candidate[]) =>
  candidates.flatMap((each) =>
    each.kind === 'order' || each.kind === 'return'
      ? [each.kind]
      : each.credits.map(({ refundDue, returnable }) => `${each.kind} ${refundDue ?? '-'} ${returnable}`),
  )

test('without a search those are found of which something is due (product 5.13)', async () => {
  const candidates = await find()
  // The payee of the debit first.
  expect(summarize(candidates)).toEqual(['refund 75.00 0.00', 'refund 40.00 60.00', 'reversal 40.00 60.00'])
  expect(candidates[0]).toMatchObject({
    credits: [{ lineId: due.id, bookedOn: '2026-11-04', amount: '75.00', payerName: 'Rui Faria' }],
    reasons: [{ text: 'Names the payer' }, { text: 'A refund of it is due' }],
  })
})

const ofMixed = ['refund 40.00 60.00', 'reversal 40.00 60.00']
test.each([
  ['ana lima', ofMixed],
  ['ORD-77001', ofMixed],
  ['ord 7700', ofMixed],
  ['2020 51', ofMixed],
  ['DE02 1203', ofMixed],
  ['75,00', ['refund 75.00 0.00']],
  ['E2E-555', ['refund 75.00 0.00']],
  ['zoe', ['reversal - 33.00']],
  ['nobody', []],
])('the search %j finds earlier payments (product 5.13)', async (search, expected) => {
  expect(summarize(await find(search))).toEqual(expected)
})

test('a payment says which orders it paid (product 5.13)', async () => {
  const [first] = await find('ORD-77001')
  expect(first).toMatchObject({ orders: [{ orderNumber: 'ORD-77001' }] })
})

test('what was found pays back and takes back (product 7.10)', async () => {
  const [line, credit] = [
    await makeLine({ direction: 'debit', amount: '50.00', payerName: 'Eva Sol' }),
    await makeLine({ payerName: 'Eva Sol' }),
  ]
  await apply(credit.id, [{ purpose: 'refund', amount: '30.00', cause: 'other' }], { reason: 'Asked for' })
  const candidates = await find('Eva Sol', line.id)
  expect(summarize(candidates)).toEqual(['refund 30.00 70.00', 'reversal 30.00 70.00'])
  await apply(line.id, [
    { purpose: 'refund', lineId: credit.id, amount: '30.00' },
    { purpose: 'reversal', lineId: credit.id, amount: '20.00' },
  ])
  expect(summarize(await find('Eva Sol', line.id))).toEqual(['reversal - 50.00'])
})

test('money that came in pays nothing back, and a line has to be there', async () => {
  expect(await find(undefined, open.id)).toEqual([])
  for (const id of ['999999', 'x']) expect((await ada('GET', `/api/bank/lines/${id}/credits`)).statusCode).toBe(404)
})

test('several refunds to one account are proposed together where their sum is exact (product 7.12)', async () => {
  const payerAccount = 'DE89370400440532013000'
  for (const amount of ['20.00', '30.00']) {
    const { id } = await makeLine({ amount, payerAccount, payerName: 'Ida Berg' })
    await apply(id, [{ purpose: 'refund', amount, cause: 'late' }])
  }
  const { id } = await makeLine({ direction: 'debit', amount: '50.00', payerAccount, payerName: 'Ida Berg' })
  const { candidates } = (await ada('GET', `/api/bank/lines/${id}`)).json()
  expect(candidates).toMatchObject([
    { kind: 'refund', isLikely: true, credits: [{ refundDue: '20.00' }, { refundDue: '30.00' }] },
  ])
})
