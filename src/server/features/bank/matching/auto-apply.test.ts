import { expect, test } from 'vitest'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup, match, strictPolicy } from '#test/support/match-lookup.ts'
import { findObstacle } from './auto-apply.ts'
import { rankCandidates } from './rank-candidates.ts'

const order = makeMatchOrder('ORD-010240')
const one = makeMatchLookup([order])
const named = makeStatementLine('ORD-010240')

test('nothing is applied without the policy', () => {
  expect(match(one, named).isAuto).toBe(true)
  expect(match(one, named, { policy: { autoApply: false } }).isAuto).toBe(false)
})

test.each([
  { amount: '99.99' },
  { amount: '100.01' },
  { currency: 'CHF' },
  { bookedOn: '2026-11-21' },
  { bookedOn: '2026-10-31' },
  { bookedOn: null },
  { booking: 'pending' as const },
  { isReversal: true },
  { batch: { total: '100.00', count: 2, isWhole: true } },
  { batch: { total: '100.00', count: 2, isRest: true } },
])('a line with %j is never applied by itself', (more) => {
  expect(match(one, makeStatementLine('ORD-010240', more)).isAuto).toBe(false)
})

test.each(['RUI LIMA', 'LIMA LDA', 'A LIMA', 'MARIANA LIMA', 'ANNA LIMA', null])(
  'a payment by %j waits for a person',
  (payer) => {
    expect(match(one, makeStatementLine('ORD-010240', { payer })).isAuto).toBe(false)
  },
)

test('a payer whose name is in another script is unsure, until the account is known (product 7.12)', () => {
  const members = [{ id: 'ana', firstName: '伟', lastName: '王' }]
  const line = makeStatementLine('ORD-010240', { payer: 'WONG WAI', iban: 'DE1' })
  const found = match(makeMatchLookup([order], { members }), line)
  expect(found).toMatchObject({ isAuto: false, outcome: 'exact', flags: ['payer_unsure'] })
  expect(found.first!.reasons).toContainEqual({ points: -1, text: expect.stringContaining('in different scripts') })
  const accounts = [{ account: 'DE1', memberId: 'ana' }]
  expect(match(makeMatchLookup([order], { members, accounts }), line)).toMatchObject({ isAuto: true, flags: [] })
  const others = [{ account: 'DE1', memberId: 'rui' }]
  expect(match(makeMatchLookup([order], { members, accounts: others }), line).flags).toEqual(['third_party'])
})

test('the policy may accept the initial of the payer', () => {
  const line = makeStatementLine('ORD-010240', { payer: 'A LIMA' })
  expect(match(one, line, { policy: { payerName: 'initial' } }).isAuto).toBe(true)
})

test('an account confirmed for one member alone proves who paid', () => {
  const line = makeStatementLine('ORD-010240', { payer: null })
  const known = { account: 'DE1', memberId: 'ana' }
  expect(match(makeMatchLookup([order], { accounts: [known] }), line).isAuto).toBe(true)
  const shared = makeMatchLookup([order], { accounts: [known, { account: 'DE1', memberId: 'rui' }] })
  expect(match(shared, line).isAuto).toBe(false)
})

test('a payment that names a second order is not a payment of one', () => {
  const lookup = makeMatchLookup([order, makeMatchOrder('ORD-010247')])
  expect(match(lookup, makeStatementLine('ORD-010240 not ORD-010247')).isAuto).toBe(false)
  expect(match(lookup, makeStatementLine('ORD-010240 not 0RD-O1O247')).isAuto).toBe(false)
})

test('a second order counts even if it is not a candidate', () => {
  const other = makeMatchOrder('ORD-999999', {
    memberId: 'rui',
    status: 'cancelled',
    investmentAmount: '5.00',
    createdAt: '2026-11-09T09:00:00.000Z',
  })
  const found = match(makeMatchLookup([order, other]), makeStatementLine('ORD-010240 ORD-999999'))
  expect(found.candidates).toHaveLength(1)
  expect(found.isAuto).toBe(false)
})

test('the policy may accept a payment of several orders', () => {
  const lookup = makeMatchLookup([order, makeMatchOrder('ORD-010247')])
  const line = makeStatementLine('ORD-010240 ORD-010247', { amount: '200.00' })
  expect(match(lookup, line).isAuto).toBe(false)
  expect(match(lookup, line, { policy: { autoCombined: true } }).isAuto).toBe(true)
  const named = makeStatementLine('ORD-010240', { amount: '200.00' })
  expect(match(lookup, named, { policy: { autoCombined: true } }).isAuto).toBe(false)
})

test('the policy may limit the amount', () => {
  expect(match(one, named, { policy: { maxAutoAmount: '100.00' } }).isAuto).toBe(true)
  expect(match(one, named, { policy: { maxAutoAmount: '99.99' } }).isAuto).toBe(false)
})

test('an order that has expired meanwhile waits for a person', () => {
  const obstacle = findObstacle(strictPolicy, named, rankCandidates(named, one), '2026-11-20T23:00:00.000Z')
  expect(obstacle).toBe('The order waits no longer')
})

const dayOf = '2026-11-10T08:00:00.000Z'
test.each([
  ['booked late', {}, { bookedOn: '2026-11-21' }, 'Not paid while the order waited'],
  ['of a cancelled order', { status: 'cancelled' as const }, {}, 'The order waits no longer'],
  ['of a paid order', { status: 'paid' as const }, {}, 'The order waits no longer'],
  ['in another currency', {}, { currency: 'CHF' }, 'The order asks for another currency'],
  ['that is too small', {}, { amount: '99.99' }, 'The payment is not exactly what the order asks for'],
])('an obstacle names what keeps a payment %s (product 9.11)', (_what, more, payment, obstacle) => {
  const lookup = makeMatchLookup([makeMatchOrder('ORD-010240', more)])
  const line = makeStatementLine('ORD-010240', payment)
  expect(findObstacle(strictPolicy, line, rankCandidates(line, lookup), dayOf)).toBe(obstacle)
})

test('a member whom only the text names may not have paid (product 9.11)', () => {
  const line = makeStatementLine('ORD-010240 Ana Lima', { payer: null })
  const obstacle = findObstacle(strictPolicy, line, rankCandidates(line, one), dayOf)
  expect(obstacle).toBe('Only the text names the member, who may not have paid')
})

test('the obstacle is told in words', () => {
  const line = makeStatementLine('ORD-010240', { payer: 'RUI LIMA' })
  const obstacle = findObstacle(strictPolicy, line, rankCandidates(line, one), '2026-11-10T08:00:00.000Z')
  expect(obstacle).toBe('Another than the member paid')
})

test('a payment of a banned member waits for a person', () => {
  const banned = makeMatchLookup([order], {
    members: [{ id: 'ana', firstName: 'Ana', lastName: 'Lima', isBanned: true }],
  })
  expect(match(banned, named).isAuto).toBe(false)
})
