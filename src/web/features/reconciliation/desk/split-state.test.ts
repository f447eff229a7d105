import { expect, test } from 'vitest'
import type { Candidate, CandidateOrder } from '#contract/schemas/reconciliation.ts'
import {
  calculateRest,
  findNeededReason,
  findObstacle,
  listNewParts,
  reduceSplit,
  startSplit,
  type SplitAction,
} from './split-state.ts'

const makeOrder = (id: string, outstanding: string) => ({ id, orderNumber: `ORD-${id}`, outstanding }) as CandidateOrder
const makeCandidate = (orders: CandidateOrder[], more: Partial<Candidate> = {}) =>
  ({
    orders,
    credit: null,
    parts: orders.map(({ id, outstanding }) => ({ orderId: id, amount: outstanding })),
    refusal: null,
    needsReason: null,
    ...more,
  }) as Candidate

const [one, two] = [makeOrder('1', '4800.00'), makeOrder('2', '5200.00')]
const apply = (amount: string, ...actions: SplitAction[]) =>
  actions.reduce((split, action) => reduceSplit(split, action, amount), startSplit(makeCandidate([one])))
const addTwo = { type: 'order', candidate: makeCandidate([two]), orderId: '2' } as const

test('a split begins with what its candidate proposes (product 5.13)', () => {
  const split = startSplit(makeCandidate([one, two]))
  expect(listNewParts(split)).toEqual([
    { purpose: 'order', orderId: '1', amount: '4800.00' },
    { purpose: 'order', orderId: '2', amount: '5200.00' },
  ])
  expect(startSplit(undefined).parts).toEqual([])
})

test('an added order gets the rest, but no more than it waits for', () => {
  expect(apply('6000', addTwo).parts.map(({ typed }) => typed)).toEqual(['4,800.00', '1,200.00'])
  expect(apply('12000', addTwo, addTwo).parts.map(({ typed }) => typed)).toEqual(['4,800.00', '5,200.00'])
})

test('a split is applied at a rest of 0.00, or where the rest is left open by choice (product 5.13)', () => {
  const half = apply('10000', addTwo, { type: 'typed', key: 'order-2', typed: '4,000.00' })
  expect(calculateRest(half, '10000')).toBe('1200.00000')
  expect(findObstacle(half, '10000')).toBe('Applying works when the rest is 0.00.')
  expect(findObstacle(reduceSplit(half, { type: 'leavesRest', leavesRest: true }, '10000'), '10000')).toBeNull()
  const whole = reduceSplit(half, { type: 'rest', key: 'order-2' }, '10000')
  expect(whole.parts[1]?.typed).toBe('5,200.00')
  expect(findObstacle(whole, '10000')).toBeNull()
  const over = reduceSplit(whole, { type: 'typed', key: 'order-1', typed: '5000' }, '10000')
  expect(findObstacle(over, '10000')).toBe('More is given out than the line has.')
})

test('a choice to leave the rest open ends with the next change', () => {
  const left = apply('10000', { type: 'leavesRest', leavesRest: true })
  expect(reduceSplit(left, { type: 'typed', key: 'order-1', typed: '1' }, '10000').leavesRest).toBe(false)
})

test('an amount that cannot be read keeps a split from being applied', () => {
  for (const typed of ['', 'ten', '1,5', '0'])
    expect(findObstacle(apply('4800', { type: 'typed', key: 'order-1', typed }), '4800'), typed).toContain('12.50')
})

test('a refund for another cause and a flagged order need a reason (product 7.10)', () => {
  expect(findNeededReason(apply('5000'))).toBeNull()
  expect(findNeededReason(apply('5000', { type: 'refund', cause: 'late', orderId: null }))).toBeNull()
  expect(findNeededReason(apply('5000', { type: 'refund', cause: 'other', orderId: null }))).toContain('paid back')
  const flagged = makeCandidate([one], { needsReason: 'RUI LIMA is not Ana Lima' })
  expect(findNeededReason(startSplit(flagged))).toBe('RUI LIMA is not Ana Lima')
})

test('parts are sent with what they are for', () => {
  const split = apply(
    '5000',
    { type: 'refund', cause: 'overpaid', orderId: '1' },
    { type: 'typed', key: 'refund-1', typed: '150' },
    { type: 'ignored', code: 'fee' },
    { type: 'code', key: 'ignored-1', code: 'interest' },
  )
  expect(listNewParts(split).slice(1)).toEqual([
    { purpose: 'refund', cause: 'overpaid', orderId: '1', amount: '150' },
    { purpose: 'ignored', code: 'interest', amount: '50.00' },
  ])
  expect(reduceSplit(split, { type: 'removed', key: 'refund-1' }, '5000').parts).toHaveLength(2)
})
