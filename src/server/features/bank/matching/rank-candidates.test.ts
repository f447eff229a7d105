import fc from 'fast-check'
import { expect, test } from 'vitest'
import { showReason } from './candidate.ts'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup, match } from '#test/support/match-lookup.ts'

const order = makeMatchOrder('ORD-010240')
const one = makeMatchLookup([order])

test.each([
  [{}, 'exact'],
  [{ amount: '99.99' }, 'partial'],
  [{ amount: '100.01' }, 'overpaid'],
  [{ currency: 'CHF' }, 'wrong_currency'],
  [{ bookedOn: '2026-11-21' }, 'late'],
  [{ booking: 'pending' }, 'pending'],
  [{ booking: 'info' }, 'pending'],
  [{ direction: 'debit' }, 'outgoing'],
  [{ amount: '0.00' }, 'unmatched'],
] as const)('a line with %j is %s', (more, outcome) => {
  expect(match(one, makeStatementLine('ORD-010240', more)).outcome).toBe(outcome)
})

test.each([
  ['paid', 'duplicate'],
  ['completed', 'duplicate'],
  ['cancelled', 'cancelled_order'],
  ['expired', 'late'],
] as const)('a payment of a %s order is %s', (status, outcome) => {
  const lookup = makeMatchLookup([{ ...order, status }])
  expect(match(lookup, makeStatementLine('ORD-010240'))).toMatchObject({ outcome, isAuto: false })
})

test('a line that fits no order is unmatched', () => {
  const line = makeStatementLine('hello', { amount: '7.00', payer: 'X Y', iban: null })
  expect(match(one, line)).toMatchObject({ outcome: 'unmatched', candidates: [], equallyGood: 0 })
})

test('a payment in another currency proposes no parts', () => {
  expect(match(one, makeStatementLine('ORD-010240', { currency: 'CHF' })).first).toMatchObject({ allocations: [] })
})

test('a candidate says its reasons in words', () => {
  const { first } = match(one, makeStatementLine('ORD-010240 Solar Park'))
  expect(first).toMatchObject({ score: 100, isLikely: true })
  expect(first!.reasons).toMatchObject([
    { points: 55, text: 'Names the order number' },
    { points: 25, text: 'The amount is exact' },
    { points: 20, text: "The payer's name is the member's" },
    { points: 6, text: 'The text names the project' },
    { points: 5, text: 'Paid while the order waited' },
  ])
})

const otherAccount = { account: 'DE2', memberId: 'ana' }
const byRui = { payer: 'RUI PIRES' }

test.each([
  ['for', 'Names the order number', 'ORD-010240', {}],
  ['for', "The payer's name is the member's", 'ORD-010240', {}],
  ['check', 'The member has paid from another account so far', 'ORD-010240', {}],
  ['check', 'The text names the project', 'ORD-010240 Solar Park', {}],
  ['check', 'Names the digits of the order number', '010240', {}],
  ['check', 'The text names the member', 'ORD-010240 ANA LIMA', byRui],
  ['check', "The payer has the member's initial and family name", 'ORD-010240', { payer: 'A LIMA' }],
  ['against', "The payer's name is not the member's", 'ORD-010240', byRui],
] as const)('only what is proved speaks for a candidate: %s, “%s”', (speaks, text, written, more) => {
  const lookup = makeMatchLookup([order], { accounts: [otherAccount] })
  const { first } = match(lookup, makeStatementLine(written, more))
  expect(first!.reasons.map(showReason)).toContainEqual({ text, speaks })
})

test('a payment that names two orders pays both of them together', () => {
  const lookup = makeMatchLookup([order, makeMatchOrder('ORD-010247')])
  const line = makeStatementLine('ORD-010240 ORD-010247', { amount: '200.00' })
  const found = match(lookup, line)
  expect(found).toMatchObject({ isAuto: false, outcome: 'exact', numbers: ['ORD-010240', 'ORD-010247'] })
  expect(found.allocations.map(({ amount }) => amount)).toEqual(['100.00', '100.00'])
})

test('orders of one member that add up to the amount are a possible set', () => {
  const lookup = makeMatchLookup([order, makeMatchOrder('ORD-010247', { investmentAmount: '50.50' })])
  const { first, orders } = match(lookup, makeStatementLine('Investment', { amount: '150.50' }))
  expect(first).toMatchObject({ outcome: 'exact', isLikely: false })
  expect(orders).toHaveLength(2)
})

test('a text that names the member leads to their orders where the bank names nobody', () => {
  const line = makeStatementLine(['ANA LIMA'], { amount: '7.00', payer: null })
  expect(match(one, line)).toMatchObject({ isAuto: false, numbers: ['ORD-010240'], flags: ['payer_unsure'] })
})

test('two orders that fit equally are a tie', () => {
  const lookup = makeMatchLookup([order, makeMatchOrder('ORD-010247')])
  expect(match(lookup, makeStatementLine('Investment')).equallyGood).toBe(2)
  expect(match(lookup, makeStatementLine('ORD-010247')).equallyGood).toBe(1)
})

test('at most five candidates are shown', () => {
  const lookup = makeMatchLookup(Array.from({ length: 9 }, (_, n) => makeMatchOrder(`ORD-01024${n}`)))
  expect(match(lookup, makeStatementLine('Investment'))).toMatchObject({ equallyGood: 9, candidates: { length: 5 } })
})

test.each([
  ['RUI LIMA', ['third_party']],
  ['LIMA LDA', ['third_party']],
  ['A LIMA', []],
  ['ANA LIMA E RUI LIMA', []],
  [null, ['payer_unsure']],
] as const)('a payment by %j has the flags %j', (payer, flags) => {
  const found = match(one, makeStatementLine('ORD-010240', { payer, iban: 'DE9' }))
  expect(found).toMatchObject({ flags, numbers: ['ORD-010240'] })
})

test('of two namesakes the one who always paid from elsewhere is less likely', () => {
  const members = ['m-1', 'm-2'].map((id) => ({ id, firstName: 'Ana', lastName: 'Lima' }))
  const orders = members.map(({ id }, n) => makeMatchOrder(`ORD-01024${n}`, { memberId: id }))
  const line = makeStatementLine('Investment', { iban: 'DE9' })
  expect(match(makeMatchLookup(orders, { members }), line).equallyGood).toBe(2)
  const accounts = [{ account: 'DE1', memberId: 'm-1' }]
  expect(match(makeMatchLookup(orders, { members, accounts }), line)).toMatchObject({
    equallyGood: 1,
    numbers: ['ORD-010241'],
  })
})

test("a payment from another member's account is flagged", () => {
  const lookup = makeMatchLookup([order], { accounts: [{ account: 'DE1', memberId: 'rui' }] })
  expect(match(lookup, makeStatementLine('ORD-010240'))).toMatchObject({ isAuto: false, flags: ['third_party'] })
})

test('a payment to another of our accounts than the order names is flagged', () => {
  const ownAccounts = ['DE89370400440532013000', 'NL91ABNA0417164300']
  const lookup = makeMatchLookup([{ ...order, iban: 'DE89 3704 0044 0532 0130 00' }], { ownAccounts })
  const line = makeStatementLine('ORD-010240')
  expect(match(lookup, line, { account: ownAccounts[0]! })).toMatchObject({ isAuto: true, flags: [] })
  expect(match(lookup, line, { account: ownAccounts[1]! })).toMatchObject({ isAuto: false, flags: ['other_account'] })
})

test('what a bank between may have kept is a smaller difference', () => {
  const line = makeStatementLine('', { amount: '80.00' })
  const reason = { points: 10, text: "20.00 EUR less, as a bank's fee would be", isDoubtful: true }
  expect(match(one, line).first!.reasons).toContainEqual(reason)
  expect(match(one, line, { feeTolerance: '19.99' }).first!.reasons).not.toContainEqual(reason)
})

test('what the file says that banks kept is the reason of just that difference', () => {
  const charges = [
    { amount: '5.50', currency: 'EUR' },
    { amount: '9.00', currency: 'USD' },
  ]
  const reasons = (amount: string) => match(one, makeStatementLine('', { amount, charges })).first!.reasons
  expect(reasons('94.50')).toContainEqual({ points: 15, text: '5.50 EUR less, which the bank kept as charges' })
  expect(reasons('94.00')).toMatchObject([{ text: "6.00 EUR less, as a bank's fee would be" }, {}, {}])
})

test('the rest of an order pays it exactly', () => {
  const lookup = makeMatchLookup([order])
  const partial = makeStatementLine('ORD-010240', { amount: '40.00' })
  const { outcome, allocations } = match(lookup, partial)
  expect([outcome, allocations[0]!.amount]).toEqual(['partial', '40.00'])
  lookup.applyAllocations(partial, allocations)
  const rest = makeStatementLine('ORD-010240', { amount: '60.00' })
  const found = match(lookup, rest)
  expect(found).toMatchObject({ outcome: 'exact', isAuto: false })
  expect(match(lookup, rest, { policy: { autoRemainder: true } }).isAuto).toBe(true)
  lookup.applyAllocations(rest, found.allocations)
  expect(lookup.getOrder(order.id)).toMatchObject({ status: 'paid', received: '100.00' })
  expect(match(lookup, makeStatementLine('ORD-010240')).outcome).toBe('duplicate')
})

test('the order of the lines of a day never makes an automatic match wrong', () => {
  const numbers = Array.from({ length: 8 }, (_, n) => `ORD-01024${n}`)
  const lines = numbers.flatMap((number) => [
    makeStatementLine(number),
    makeStatementLine(number, { payer: 'RUI LIMA', iban: 'DE2' }),
    makeStatementLine('Investment'),
  ])
  fc.assert(
    fc.property(fc.shuffledSubarray(lines, { minLength: lines.length }), (shuffled) => {
      const lookup = makeMatchLookup(numbers.map((number) => makeMatchOrder(number)))
      for (const line of shuffled) {
        const { isAuto, allocations, numbers: found } = match(lookup, line)
        if (!isAuto) continue
        expect([found, line.counterparty.name]).toEqual([line.remittance, 'ANA LIMA'])
        lookup.applyAllocations(line, allocations)
      }
      for (const number of numbers) expect(lookup.getOrder(number).received).toBe('100.00')
    }),
    { numRuns: 30 },
  )
})
