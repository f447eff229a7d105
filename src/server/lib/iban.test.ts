import { expect, test } from 'vitest'
import { ibansIn, isIban, isRf, mod97, parseIban, toRf } from './iban.ts'

test('an IBAN is recognised by its check digits', () => {
  expect(isIban('DE89370400440532013000')).toBe(true)
  expect(isIban('DE89370400440532013001')).toBe(false)
  expect(isIban('DE98370400440532013000')).toBe(false)
  expect(parseIban('nl91 abna 0417 1643 00')).toBe('NL91ABNA0417164300')
  expect(parseIban('370400440532013000')).toBeNull()
})

test('an ISO 11649 reference is recognised by its check digits', () => {
  expect(isRf('RF18539007547034')).toBe(true)
  expect(isRf('RF18539007547035')).toBe(false)
})

test('the ISO 11649 reference of a number has right check digits', () => {
  expect(toRf('539007547034')).toBe('RF18539007547034')
  expect(isRf(toRf('ord-010240') ?? '')).toBe(true)
  expect(toRf('-.:')).toBeUndefined()
  expect(toRf('A'.repeat(22))).toBeUndefined()
})

test('check digits leave the rest 1', () => {
  expect(mod97('539007547034RF18')).toBe(1)
})

test('an IBAN in a text ends where its check digits say', () => {
  expect(ibansIn('von DE89 3704 0044 0532 0130 00 ORD 1')).toEqual(['DE89370400440532013000'])
  expect(ibansIn('NL91ABNA0417164300 und DE89370400440532013000')).toEqual([
    'NL91ABNA0417164300',
    'DE89370400440532013000',
  ])
  expect(ibansIn('DE12 3456 7890 1234 5678 90')).toEqual([])
})
