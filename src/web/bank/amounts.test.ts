import { expect, test } from 'vitest'
import {
  addAmounts,
  compareAmounts,
  countPlaces,
  formatAmount,
  isZero,
  leastAmount,
  readAmount,
  readPositiveAmount,
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

test('a typed amount may have separators of thousands, and a comma before its places', () => {
  const readings: Record<string, string> = {
    ' 4,000.00 ': '4000.00',
    '12.5': '12.5',
    '12,50': '12.50',
    '20,01': '20.01',
    '1.234,00': '1234.00',
    '1,234,567.89': '1234567.89',
    '0': '0',
  }
  for (const [typed, amount] of Object.entries(readings)) expect(readAmount(typed), typed).toEqual({ amount })
})

test('an amount that can be read in two ways is refused with how to write it', () => {
  const problem = '20,005 can be read in two ways: write 20005 or 20,005.00 for thousands'
  expect(readAmount('20,005')).toEqual({ problem })
})

test('an amount has at most 2 places, or as many as its line', () => {
  for (const typed of ['20.005', '1.234', '20,0051', '1.000001'])
    expect(readAmount(typed), typed).toEqual({ problem: 'Must have at most 2 places' })
  expect(readAmount('20.005', countPlaces('100.12500'))).toEqual({ amount: '20.005' })
  expect([countPlaces('100'), countPlaces('100.10000')]).toEqual([2, 2])
})

test('what is not an amount is refused with an example', () => {
  for (const typed of ['', '-5', '4 000', 'ten', '1,23,456.00', '1.2.3', '1,2,3'])
    expect(readAmount(typed).problem, typed).toBe('Must be an amount such as 12.50')
  expect(readPositiveAmount('0.00').problem).toContain('12.50')
  expect(readPositiveAmount('0.01')).toEqual({ amount: '0.01' })
})
