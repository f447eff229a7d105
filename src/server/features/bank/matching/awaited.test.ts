import { expect, test } from 'vitest'
import { listOrders } from './candidate.ts'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup, match } from '#test/support/match-lookup.ts'

const order = makeMatchOrder('ORD-010240')

/** The numbers of all candidates of a line of Ana Lima on this day, who names no order or misspells one. */
function listNumbers(lookup: ReturnType<typeof makeMatchLookup>, text: string, bookedOn: string | null): string[] {
  const line = makeStatementLine(text, { bookedOn, valueOn: null })
  return match(lookup, line).candidates.flatMap((each) => listOrders(each).map(({ orderNumber }) => orderNumber))
}

test.each(['invest', 'ORD-010420'])('the text %s finds an order for 60 days after its end (product 7.12)', (text) => {
  const lookup = makeMatchLookup([{ ...order, status: 'expired' }])
  expect(listNumbers(lookup, text, '2027-01-19')).toEqual(['ORD-010240'])
  expect(listNumbers(lookup, text, '2027-01-20')).toEqual([])
  expect(listNumbers(lookup, 'ORD-010240', '2027-01-20')).toEqual(['ORD-010240'])
})

test('a line without a day is offered every order', () => {
  expect(listNumbers(makeMatchLookup([{ ...order, status: 'expired' }]), 'invest', null)).toEqual(['ORD-010240'])
})

test('an order that ended long ago is not a part of a sum', () => {
  const old = makeMatchOrder('ORD-010247', { status: 'expired', expiresAt: '2026-08-20T23:00:00.000Z' })
  const line = makeStatementLine('invest', { amount: '200.00', bookedOn: '2026-11-10' })
  expect(match(makeMatchLookup([order, makeMatchOrder('ORD-010254')]), line).numbers).toEqual([
    'ORD-010240',
    'ORD-010254',
  ])
  expect(match(makeMatchLookup([order, old]), line).numbers).not.toContain('ORD-010247')
})

test('an amount counts the orders that waited on the day of the line (product 7.12)', () => {
  const others = [1, 2, 3].map((n) => makeMatchOrder(`ORD-01030${n}`))
  const nameless = (bookedOn: string) =>
    makeStatementLine('invest', { payer: null, iban: null, bookedOn, valueOn: null })
  const countOffered = (more: Parameters<typeof makeMatchOrder>[1], bookedOn = '2026-11-10') =>
    match(makeMatchLookup([...others, makeMatchOrder('ORD-010240', more)]), nameless(bookedOn)).candidates.length
  expect(countOffered({})).toBe(0)
  expect(countOffered({ expiresAt: '2026-09-10T23:00:00.000Z', createdAt: '2026-09-01T09:00:00.000Z' })).toBe(3)
  expect(countOffered({ createdAt: '2026-11-11T09:00:00.000Z' })).toBe(3)
  expect(countOffered({ createdAt: '2026-11-10T22:00:00.000Z' })).toBe(0)
})
