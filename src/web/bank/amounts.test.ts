import { expect, test } from 'vitest'
import {
  addAmounts,
  compareAmounts,
  formatAmount,
  isZero,
  leastAmount,
  parseAmount,
  subtractAmount,
} from './amounts.ts'

test('amounts are added and subtracted exactly', () => {
  expect(addAmounts('0.1', '0.2')).toBe('0.30000')
  expect(addAmounts('999999999999999.99', '0.00001')).toBe('999999999999999.99001')
  expect(addAmounts('-12.50', '12.49')).toBe('-0.01000')
  expect(addAmounts()).toBe('0.00000')
  expect(subtractAmount('10', '10.00001')).toBe('-0.00001')
})

test('amounts are compared in any number of places', () => {
  expect(compareAmounts('10.00', '10')).toBe(0)
  expect(compareAmounts('9.99', '10')).toBe(-1)
  expect(leastAmount('100.00', '20.5')).toBe('20.5')
})

test('an amount below 0 has a minus sign', () => {
  expect(formatAmount('-1234.50000')).toBe('−1,234.50')
  expect(isZero('-0.00000')).toBe(true)
  expect(isZero('0.00001')).toBe(false)
})

test('a typed amount may have separators of thousands, and nothing else is guessed', () => {
  expect(parseAmount(' 4,000.00 ')).toBe('4000.00')
  expect(parseAmount('12.5')).toBe('12.5')
  for (const typed of ['', '0.00', '-5', '12,50', '1.234,00', '4 000', 'ten', '1.000001'])
    expect(parseAmount(typed), typed).toBeNull()
})
