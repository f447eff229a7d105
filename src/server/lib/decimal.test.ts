import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fromUnits, parseDecimal, parseLocalAmount, toUnits } from '#server/lib/decimal.ts'

test('an amount keeps its value to five places', () => {
  expect(parseDecimal('000000000000149.87')).toBe('149.87')
  expect(parseDecimal('1.23456')).toBe('1.23456')
  expect(parseDecimal('99999999999999.99')).toBe('99999999999999.99')
  expect([parseDecimal('5'), parseDecimal('.5'), parseDecimal(' 5. ')]).toEqual(['5.00', '0.50', '5.00'])
})

test('what is not plain decimal of 0 or more is not an amount', () => {
  for (const text of ['', '-5.00', '+5', '1,50', '1e3', '1.234567', 'NaN', '.', '1 000', '1234567890123456'])
    expect(parseDecimal(text), text).toBeUndefined()
})

test('each amount comes back exactly from its units', () => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 20n), 10n ** 20n), (units) => {
      expect(toUnits(fromUnits(units))).toBe(units)
    }),
  )
})

test('the text of an amount comes back exactly from its units', () => {
  for (const text of ['0.00', '0.10', '-0.00001', '1234567.89', '-99999999999999.99999'])
    expect(fromUnits(toUnits(text))).toBe(text)
})

const readLocal = (text: string, decimalSign: '.' | ',') => parseLocalAmount(text, decimalSign)?.amount

test('a local amount is read by its decimal sign', () => {
  expect(readLocal('1.234,56', ',')).toBe('1234.56')
  expect(readLocal('1,234.56', '.')).toBe('1234.56')
  expect(readLocal('1.500', ',')).toBe('1500.00')
  expect(readLocal('1.500', '.')).toBe('1.50')
  expect(readLocal("1'234.50", '.')).toBe('1234.50')
  expect(readLocal('1\u202f234,50', ',')).toBe('1234.50')
})

test('a local amount may have its sign on either side, or brackets', () => {
  expect(readLocal('-1.500,00', ',')).toBe('-1500.00')
  expect(readLocal('12,00-', ',')).toBe('-12.00')
  expect(readLocal('+12,00', ',')).toBe('12.00')
  expect(readLocal('−12,00', ',')).toBe('-12.00')
  for (const text of [
    '(12.00)',
    '($12.00)',
    '$(12.00)',
    '(12.00) USD',
    '-$12.00',
    '$-12.00',
    '12.00–',
    '—12.00',
    '‐12.00',
  ])
    expect(readLocal(text, '.'), text).toBe('-12.00')
})

test('what stands beside a local amount is told', () => {
  const marks = ['1500.00 USD', '42.10 DEB', '$42.10', '1500.00 CR', '9.00'].map(
    (text) => parseLocalAmount(text, '.')?.mark,
  )
  expect(marks).toEqual(['USD', 'DEB', '$', 'CR', ''])
  expect(readLocal('EUR 12.00', '.')).toBe('12.00')
  expect(readLocal('-12,00 €', ',')).toBe('-12.00')
  expect(readLocal('£1,200.00', '.')).toBe('1200.00')
  expect(readLocal('₩1,300,000', '.')).toBe('1300000.00')
  expect(readLocal('7,000円', '.')).toBe('7000.00')
})

test('digits that are not grouped by three are no local amount', () => {
  for (const text of [
    '1.50,00',
    '1,2,3',
    'abc',
    '',
    '1.23.456,00',
    '--5',
    '12,00 EUR EUR',
    'EUR 12,00 EUR',
    '-(12,00)',
    '12,00 Euros',
    '(12',
    '-',
  ])
    expect(readLocal(text, ','), text).toBeUndefined()
})

test('Indian groups of two digits are read where commas divide them', () => {
  expect(readLocal('1,25,000.00', '.')).toBe('125000.00')
  expect(readLocal('-10,00,000.50', '.')).toBe('-1000000.50')
  expect(readLocal('₹ 12,34,56,789', '.')).toBe('123456789.00')
  expect(readLocal('1.25.000,00', ',')).toBeUndefined()
})

test('groups of mixed or wrong sizes are no local amount', () => {
  for (const text of ['1,25,00.00', '125,00,000', '1,250,00,000', '1,25,000,000', '1,2,500', ',25,000', '1,25,000,'])
    expect(readLocal(text, '.'), text).toBeUndefined()
})
