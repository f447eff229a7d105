import { expect, test } from 'vitest'
import { type Balance, balanceDifference, signedUnits, sumBooked } from './statement.ts'

const balance = (amount: string, direction: Balance['direction'] = 'credit'): Balance => ({
  amount,
  direction,
  currency: 'EUR',
  day: null,
})

test('only booked lines count, debits below zero', () => {
  const sum = sumBooked([
    { amount: '0.20', direction: 'credit', booking: 'booked' },
    { amount: '0.05', direction: 'debit', booking: 'booked' },
    { amount: '9.00', direction: 'credit', booking: 'pending' },
    { amount: '9.00', direction: 'credit', booking: 'info' },
  ])
  expect(sum).toBe(15_000n)
})

test('balances are added up exactly', () => {
  const sum = signedUnits({ amount: '0.20', direction: 'credit' })
  expect(balanceDifference({ opening: balance('0.10'), closing: balance('0.30') }, sum)).toBe('0.00')
  expect(balanceDifference({ opening: balance('0.10'), closing: balance('0.31') }, sum)).toBe('-0.01')
  expect(balanceDifference({ opening: balance('0.10', 'debit'), closing: balance('0.10') }, sum)).toBe('0.00')
})

test('a statement without both balances has no difference', () => {
  expect(balanceDifference({ opening: null, closing: balance('0.30') }, 0n)).toBeNull()
})
