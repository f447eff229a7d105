import { expect, test } from 'vitest'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup, match } from '#test/support/match-lookup.ts'

const order = makeMatchOrder('ORD-010240')
const allocation = { orderId: order.id, orderNumber: order.orderNumber, amount: '60.00' }

function makePaidLookup(refundDue: string | null = null) {
  const lookup = makeMatchLookup([order])
  lookup.applyAllocations(makeStatementLine('ORD-010240', { amount: '40.00', iban: 'DE2' }), [
    { ...allocation, amount: '40.00' },
  ])
  lookup.applyAllocations(makeStatementLine('ORD-010240', { amount: '60.00' }), [allocation], refundDue)
  return lookup
}

test('a reversal finds the credit that it takes back', () => {
  const line = makeStatementLine('RETOURE ORD-010240', { amount: '60.00', direction: 'debit', isReversal: true })
  const { outcome, first, allocations, credits, isAuto } = match(makePaidLookup(), line)
  expect([outcome, allocations, credits[0]!.lineId, isAuto]).toEqual(['reversal', [allocation], '2', false])
  expect(first!.reasons.map(({ text }) => text)).toContain('Names the order that was paid')
})

test('a return is known by its reason or its words', () => {
  const debit = { amount: '5.00', direction: 'debit' } as const
  const lookup = makePaidLookup()
  expect(match(lookup, makeStatementLine('', { ...debit, returnReason: 'AC04' })).outcome).toBe('reversal')
  expect(match(lookup, makeStatementLine('Storno', debit)).outcome).toBe('reversal')
  expect(match(lookup, makeStatementLine('rent', debit)).outcome).toBe('outgoing')
})

test('a payment to the payer of a credit is its refund', () => {
  const line = makeStatementLine('sorry', { amount: '60.00', direction: 'debit' })
  expect(match(makePaidLookup(), line)).toMatchObject({ outcome: 'refund', numbers: ['ORD-010240'] })
})

test('a refund that is due is found by its own amount', () => {
  const line = makeStatementLine('Refund', { amount: '10.00', direction: 'debit' })
  expect(match(makePaidLookup('10.00'), line)).toMatchObject({ outcome: 'refund' })
  expect(match(makePaidLookup('11.00'), line)).toMatchObject({ outcome: 'outgoing' })
})

test('the same amount alone takes nothing back', () => {
  const line = makeStatementLine('Invoice', { amount: '60.00', direction: 'debit', payer: 'Supplier', iban: 'DE7' })
  expect(match(makePaidLookup(), line)).toMatchObject({ outcome: 'outgoing', candidates: [] })
})

test('a later credit is not taken back', () => {
  const line = makeStatementLine('RETOURE ORD-010240', {
    amount: '60.00',
    direction: 'debit',
    isReversal: true,
    bookedOn: '2026-11-04',
  })
  expect(match(makePaidLookup(), line)).toMatchObject({ outcome: 'reversal', candidates: [] })
})

test('a refund that is due comes before the payment beside it, whatever the text', () => {
  const lookup = makeMatchLookup([order])
  lookup.applyAllocations(makeStatementLine('ORD-010240', { amount: '60.00' }), [allocation])
  lookup.applyAllocations(makeStatementLine('again', { amount: '60.00' }), [], '60.00')
  const line = makeStatementLine('RETURN ORD-010240', { amount: '60.00', direction: 'debit' })
  const { outcome, credits, candidates } = match(lookup, line)
  expect([outcome, credits[0]!.lineId]).toEqual(['refund', '2'])
  expect(candidates.map(({ kind }) => kind)).toEqual(['refund', 'reversal'])
  const ofBank = match(lookup, { ...line, isReversal: true })
  expect([ofBank.outcome, ofBank.credits[0]!.lineId]).toEqual(['reversal', '1'])
})

/** Two payments from one account that are to be paid back, and one from another. */
function makeLookupOfRefunds() {
  const lookup = makeMatchLookup([order])
  const pay = (amount: string, iban: string) =>
    lookup.applyAllocations(makeStatementLine('ORD-010240', { amount, iban }), [], amount)
  pay('60.00', 'DE1')
  pay('25.00', 'DE1')
  pay('15.00', 'DE1')
  pay('40.00', 'DE2')
  return lookup
}

test('one transfer pays several refunds of one account back, where their sum is exact (product 7.12)', () => {
  const line = makeStatementLine('Refunds', { amount: '85.00', direction: 'debit', iban: 'DE1' })
  const { outcome, first, credits, equallyGood } = match(makeLookupOfRefunds(), line)
  const paid = credits.map(({ refundDue }) => refundDue)
  expect([outcome, equallyGood, paid]).toEqual(['refund', 1, ['60.00', '25.00']])
  expect(first!.reasons.map(({ text }) => text)).toContain('The amount is that of 2 refunds together')
})

test('less than is due to the account is a part of the refund that it names (product 7.12)', () => {
  const lookup = makeMatchLookup([order])
  lookup.applyAllocations(makeStatementLine('ORD-010240', { amount: '60.00', iban: 'DE1' }), [allocation], '25.00')
  const line = makeStatementLine('Refund ORD-010240', { amount: '15.00', direction: 'debit', iban: 'DE1' })
  const { outcome, first, credits } = match(lookup, line)
  expect([outcome, first!.isLikely, credits[0]!.refundDue]).toEqual(['refund', true, '25.00'])
  expect(first!.reasons.map(({ text }) => text)).toContain('The amount is a part of what is due')
  for (const given of [{ remittance: ['Rent'] }, { amount: '25.01' }, { isReversal: true }])
    expect(match(lookup, { ...line, ...given }).candidates).toEqual([])
})

test('refunds to other accounts are not added up, nor what the bank calls a return', () => {
  const line = makeStatementLine('Refunds', { amount: '100.00', direction: 'debit', iban: 'DE1' })
  expect(match(makeLookupOfRefunds(), line).credits).toHaveLength(3)
  expect(match(makeLookupOfRefunds(), { ...line, isReversal: true }).candidates).toEqual([])
  expect(match(makeLookupOfRefunds(), { ...line, amount: '65.00' }).candidates).toEqual([])
})

test('the text that the console proposes for a refund tells equal refunds apart (product 7.12)', () => {
  const other = makeMatchOrder('ORD-010251')
  const lookup = makeMatchLookup([order, other])
  for (const meantFor of [order, other])
    lookup.applyAllocations(makeStatementLine('again', { amount: '60.00' }), [], '60.00', [meantFor])
  const line = makeStatementLine('REFUND ORD-\n010251', { amount: '60.00', direction: 'debit' })
  const { first, credits, equallyGood, candidates } = match(lookup, line)
  expect([credits[0]!.lineId, equallyGood]).toEqual(['2', 1])
  expect(first!.reasons[1]).toEqual({ points: 60, text: 'Has the text of its refund' })
  expect(first!.points - candidates[1]!.points).toBe(60)
})

test('the text of a refund of no order finds its payment without account and name (product 7.12)', () => {
  const lookup = makeMatchLookup([])
  lookup.applyAllocations(makeStatementLine('hello', { amount: '75.00', bookedOn: '2026-11-03' }), [], '60.00')
  const transfer = { amount: '60.00', direction: 'debit', payer: null, iban: null } as const
  const find = (text: string) => match(lookup, makeStatementLine(text, transfer)).credits[0]?.lineId
  expect(find('REFUND OF 75.00 EUR OF 2026-11-03')).toBe('1')
  expect(find('REFUND OF 75.00 EUR OF 2026-11-04')).toBeUndefined()
  expect(find('REFUND')).toBeUndefined()
})

test('the text of a longer number is not that of a refund', () => {
  const lookup = makeMatchLookup([order])
  lookup.applyAllocations(makeStatementLine('again', { amount: '60.00' }), [], '60.00', [order])
  const line = makeStatementLine('Refund ORD-0102409', { amount: '60.00', direction: 'debit' })
  expect(match(lookup, line).first!.reasons.map(({ text }) => text)).not.toContain('Has the text of its refund')
})

test('an amount that is due is not a refund of a payment that nothing else leads to', () => {
  const line = makeStatementLine('Rent', { amount: '10.00', direction: 'debit', payer: 'Landlord', iban: 'DE7' })
  expect(match(makePaidLookup('10.00'), line)).toMatchObject({ outcome: 'outgoing', candidates: [] })
})
