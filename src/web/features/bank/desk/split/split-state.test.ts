import { expect, test } from 'vitest'
import type {
  CandidateCredit,
  CandidateOrder,
  CreditCandidate,
  OrderCandidate,
} from '#contract/schemas/bank-candidates.ts'
import { describeOrders, findRestOffer, renewOrders } from './split-orders.ts'
import {
  calculateDueRest,
  calculateRest,
  findNeededReason,
  findObstacle,
  listNewAllocations,
  reduceSplit,
  startSplit,
  type SplitAction,
} from './split-state.ts'

const makeOrder = (id: string, outstanding: string) =>
  ({ id, orderNumber: `ORD-${id}`, outstanding, currency: 'EUR' }) as CandidateOrder
const makeCandidate = (orders: CandidateOrder[], more: Partial<OrderCandidate> = {}) =>
  ({
    kind: 'order',
    orders,
    allocations: orders.map(({ id, outstanding }) => ({ orderId: id, amount: outstanding })),
    refusal: null,
    needsReason: null,
    ...more,
  }) as OrderCandidate

const [one, two] = [makeOrder('1', '4800.00'), makeOrder('2', '5200.00')]
const apply = (amount: string, ...actions: SplitAction[]) =>
  actions.reduce((split, action) => reduceSplit(split, action, amount), startSplit(makeCandidate([one])))
const addTwo = { type: 'order', candidate: makeCandidate([two]) } as const

test('a split begins with what its candidate proposes (product 5.13)', () => {
  const split = startSplit(makeCandidate([one, two]))
  expect(listNewAllocations(split)).toEqual([
    { purpose: 'order', orderId: '1', amount: '4800.00' },
    { purpose: 'order', orderId: '2', amount: '5200.00' },
  ])
  expect(startSplit(undefined).allocations).toEqual([])
})

test('an added order gets the rest, but no more than it waits for', () => {
  expect(apply('6000', addTwo).allocations.map(({ typed }) => typed)).toEqual(['4,800.00', '1,200.00'])
  expect(apply('12000', addTwo, addTwo).allocations.map(({ typed }) => typed)).toEqual(['4,800.00', '5,200.00'])
})

test('a split is applied at a rest of 0.00, or where the rest is left open by choice (product 5.13)', () => {
  const half = apply('10000', addTwo, { type: 'typed', key: 'order-2', typed: '4,000.00' })
  expect(calculateRest(half, '10000')).toBe('1200.00000')
  expect(findObstacle(half, '10000', '0')).toBe('Applying works when the rest is 0.00.')
  expect(findObstacle(reduceSplit(half, { type: 'leavesRest', leavesRest: true }, '10000'), '10000', '0')).toBeNull()
  const whole = reduceSplit(half, { type: 'rest', key: 'order-2' }, '10000')
  expect(whole.allocations[1]?.typed).toBe('5,200.00')
  expect(findObstacle(whole, '10000', '0')).toBeNull()
  const over = reduceSplit(whole, { type: 'typed', key: 'order-1', typed: '5000' }, '10000')
  expect(findObstacle(over, '10000', '0')).toBe('ORD-1 waits for 4,800.00 EUR only.')
  expect(findObstacle(over, '10000', '200')).toBe('More is given out than the line has.')
})

test('a choice to leave the rest open ends with the next change', () => {
  const left = apply('10000', { type: 'leavesRest', leavesRest: true })
  expect(reduceSplit(left, { type: 'typed', key: 'order-1', typed: '1' }, '10000').leavesRest).toBe(false)
})

test('an amount that cannot be read keeps a split from being applied', () => {
  for (const typed of ['', 'ten', '1,500', '0'])
    expect(findObstacle(apply('4800', { type: 'typed', key: 'order-1', typed }), '4800', '0'), typed).toContain('12.50')
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
  expect(listNewAllocations(split).slice(1)).toEqual([
    { purpose: 'refund', cause: 'overpaid', orderId: '1', amount: '150' },
    { purpose: 'ignored', code: 'interest', amount: '50.00' },
  ])
  expect(reduceSplit(split, { type: 'removed', key: 'refund-1' }, '5000').allocations).toHaveLength(2)
})

const makeCredit = (lineId: string, refundDue: string | null, returnable = '0.00') =>
  ({ lineId, refundDue, returnable, amount: '100.00', currency: 'EUR' }) as CandidateCredit
const makeRefund = (...credits: CandidateCredit[]) =>
  ({ kind: 'refund', credits, needsReason: null as string | null }) as CreditCandidate
const payOut = (amount: string, ...actions: SplitAction[]) =>
  actions.reduce((split, action) => reduceSplit(split, action, amount), startSplit(undefined))
const addRefund = { type: 'credit', candidate: makeRefund(makeCredit('7', '100.00')) } as const

test('money that went out pays several refunds back, and the rest is a fee (product 5.13)', () => {
  const both = makeRefund(makeCredit('7', '100.00'), makeCredit('8', '40.00'))
  const split = payOut('141.50', { type: 'credit', candidate: both }, { type: 'ignored', code: 'fee' })
  expect(listNewAllocations(split)).toEqual([
    { purpose: 'refund', lineId: '7', amount: '100.00' },
    { purpose: 'refund', lineId: '8', amount: '40.00' },
    { purpose: 'ignored', code: 'fee', amount: '1.50' },
  ])
  expect(findObstacle(split, '141.50', '0')).toBeNull()
})

test('money that goes to another than who paid needs a reason in a split too (product 7.10)', () => {
  expect(findNeededReason(payOut('100', addRefund))).toBeNull()
  const candidate = { ...addRefund.candidate, needsReason: 'This pays money of Paul Stein' }
  for (const kind of ['refund', 'reversal'] as const)
    expect(findNeededReason(payOut('100', { type: 'credit', candidate: { ...candidate, kind } }))).toBe(
      'This pays money of Paul Stein',
    )
})

test('a payment is paid back once in a split, and taken back besides (product 5.13)', () => {
  const takenBack = { ...addRefund.candidate, kind: 'reversal' } as const
  const split = payOut('150', addRefund, addRefund, { type: 'credit', candidate: takenBack })
  expect(split.allocations.map(({ key, typed }) => [key, typed])).toEqual([
    ['payBack-7', '100.00'],
    ['takeBack-7', '50.00'],
  ])
  expect(listNewAllocations(split)[1]).toEqual({ purpose: 'reversal', lineId: '7', amount: '50.00' })
})

test('what stays due of a refund is closed where the operator says so (product 7.10)', () => {
  const less = payOut('98.5', addRefund)
  expect(calculateDueRest(less, less.allocations[0]!)).toBe('1.50000')
  expect(listNewAllocations(less)).toEqual([{ purpose: 'refund', lineId: '7', amount: '98.50' }])
  const closed = reduceSplit(less, { type: 'closeAs', key: 'payBack-7', closeAs: 'fee' }, '98.5')
  expect(listNewAllocations(closed)).toEqual([{ purpose: 'refund', lineId: '7', amount: '98.50', closeAs: 'fee' }])
  const whole = reduceSplit(closed, { type: 'typed', key: 'payBack-7', typed: '100' }, '100')
  expect(listNewAllocations(whole)).toEqual([{ purpose: 'refund', lineId: '7', amount: '100' }])
})

test('an amount is typed with a comma before its places, and no more than the line has', () => {
  const typed = (text: string) => apply('4800', { type: 'typed', key: 'order-1', typed: text })
  expect(listNewAllocations(typed('20,01'))).toMatchObject([{ amount: '20.01' }])
  expect(findObstacle(typed('20.005'), '4800', '0')).toContain('12.50')
})

test('a split that gives an order more than it waits for can’t be applied (product 7.10)', () => {
  const scored = new Map([['1', makeCandidate([makeOrder('1', '30.00')])]])
  const split = renewOrders(apply('4800'), scored)
  expect(split.allocations[0]?.typed).toBe('4,800.00')
  expect(findObstacle(split, '4800', '0')).toBe('ORD-1 waits for 30.00 EUR only.')
  expect(describeOrders(split.allocations)).toEqual(['ORD-1 waits for 30.00 EUR'])
  const less = reduceSplit(split, { type: 'typed', key: 'order-1', typed: '30' }, '30')
  expect(findObstacle(less, '30', '0')).toBeNull()
})

test('the policy lets an order have a little too much (product 7.11)', () => {
  const split = apply('4801', { type: 'typed', key: 'order-1', typed: '4801' })
  expect(findObstacle(split, '4801', '1.00')).toBeNull()
  expect(findObstacle(split, '4801', '0.99')).toBe('ORD-1 waits for 4,800.00 EUR only.')
})

test('the rest is offered to an order up to what it waits for', () => {
  const offer = (amount: string, ...actions: SplitAction[]) => {
    const split = apply(amount, ...actions)
    const found = findRestOffer(split.allocations, calculateRest(split, amount))
    return found && [found.allocation.order.id, Number(found.share)]
  }
  const half = { type: 'typed', key: 'order-1', typed: '4000' } as const
  expect(offer('4500', half)).toEqual(['1', 500])
  expect(offer('9000', half)).toEqual(['1', 800])
  expect(offer('9500', addTwo, half)).toEqual(['2', 500])
  expect(offer('5000')).toBeUndefined()
  expect(offer('3000', half)).toEqual(['1', -1000])
})

test('an order that was marked paid by hand takes its amount', () => {
  const order = { ...makeOrder('1', '0.00'), investmentAmount: '50.00', received: '0.00', paidVia: 'hand' } as const
  const split = reduceSplit(startSplit(undefined), { type: 'order', candidate: makeCandidate([order]) }, '80')
  expect(split.allocations[0]?.typed).toBe('50.00')
  expect(findObstacle(split, '50', '0')).toBeNull()
})
