import { expect, test } from 'vitest'
import { addAmounts, formatAmount, isZero } from './amounts.ts'

test('amounts are added exactly', () => {
  expect(addAmounts('0.1', '0.2')).toBe('0.30000')
  expect(addAmounts('999999999999999.99', '0.00001')).toBe('999999999999999.99001')
  expect(addAmounts('-12.50', '12.49')).toBe('-0.01000')
  expect(addAmounts()).toBe('0.00000')
})

test('an amount below 0 has a minus sign', () => {
  expect(formatAmount('-1234.50000')).toBe('−1,234.50')
  expect(isZero('-0.00000')).toBe(true)
  expect(isZero('0.00001')).toBe(false)
})
