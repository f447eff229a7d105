import { expect, test } from 'vitest'
import type { BankLine } from '#contract/schemas/bank.ts'
import { divideExact, sumExact } from './exact-sums.ts'

const makeLine = (accountName: string, currency: string, amount: string, allocated = '0') =>
  ({ accountId: accountName, accountName, currency, amount, allocated }) as BankLine

test('what fits exactly is summed by account, and by currency where several have it (product 5.13)', () => {
  const sums = sumExact([
    makeLine('Clients', 'EUR', '100.10'),
    makeLine('Clients', 'EUR', '50.00', '20.00'),
    makeLine('Branch', 'EUR', '0.20'),
    makeLine('Dollars', 'USD', '7.00'),
  ])
  expect(sums.accounts.map(({ name, currency, count, amount }) => [name, currency, count, Number(amount)])).toEqual([
    ['Branch', 'EUR', 1, 0.2],
    ['Clients', 'EUR', 2, 130.1],
    ['Dollars', 'USD', 1, 7],
  ])
  expect(sums.currencies.map(({ name, count, amount }) => [name, count, Number(amount)])).toEqual([
    ['All in EUR', 3, 130.3],
  ])
})

test('of two lines that pay one order only the first is applied (product 5.13)', () => {
  const lines = [['ORD-1'], ['ORD-2'], ['ORD-1'], ['ORD-2', 'ORD-3'], ['ORD-3']].map((proposedOrders, at) => ({
    ...makeLine('Clients', 'EUR', `${at}.00`),
    proposedOrders,
  }))
  const { first, repeated } = divideExact(lines)
  expect(first.map(({ amount }) => amount)).toEqual(['0.00', '1.00', '4.00'])
  expect(repeated.map(({ amount }) => amount)).toEqual(['2.00', '3.00'])
})
