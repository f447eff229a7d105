import { expect, test } from 'vitest'
import { findIbanProblem, mod97 } from '#contract/iban.ts'
import { ibansIn, isIban, isRf, parseIban, toRf } from './iban.ts'

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

test('a number that looks like an IBAN is told what is wrong with it', () => {
  const right = [
    'DE89370400440532013000',
    'MT84MALT011000012345MTLCAST001S',
    'NO93 8601 1117 947',
    'PL61109010140000071219812874',
  ]
  for (const text of right) expect(findIbanProblem(text), text).toBeNull()
  expect(findIbanProblem('MT84MALT011000012345MTLCAST001T')).toBe('the check digits of this IBAN do not fit')
  expect(findIbanProblem('PL6110901014000007121981287')).toBe('an IBAN of PL has 28 characters, this one has 27')
  for (const text of ['', '12345678', 'DE1234', 'ZZ89370400440532013000', 'DEAB370400440532013000'])
    expect(findIbanProblem(text), text).toBeNull()
})
