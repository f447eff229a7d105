import { expect, test } from 'vitest'
import { toRf } from '#server/lib/iban.ts'
import { makeStatementLine } from '#test/support/bank-lines.ts'
import { makeMatchOrder, makeMatchLookup, match } from '#test/support/match-lookup.ts'
import { findEvidence, foldDigits, foldLookAlikes, foldNumber, isStrongNumber } from './references.ts'

const one = makeMatchLookup([makeMatchOrder('ORD-010240')])
const findKinds = (lookup: typeof one, line: Parameters<typeof findEvidence>[0]) =>
  [...findEvidence(line, lookup).values()].map(({ order, kind }) => [order.orderNumber, kind])

test.each([
  'ORD-010240',
  'ord 010240',
  'ORD010240',
  'Ord/010 240.',
  'pago ORD-0102\n40 obrigada',
  'x ORD:010240,Solar',
  'Überweisung für ORD-010240',
])('%j names the order', (text) => {
  expect(match(one, makeStatementLine(text)).isAuto).toBe(true)
})

test('a number is found across two lines of the text', () => {
  expect(match(one, makeStatementLine(['ORD-0102', '40'])).isAuto).toBe(true)
})

test.each(['ORD-0102401', '1ORD-010240X9', 'FORD-010240', 'ÖRD-010240', 'ORD-010240é', 'ORD-01024'])(
  '%j names another order',
  (text) => {
    expect(match(one, makeStatementLine(text)).isAuto).toBe(false)
  },
)

test.each([
  ['ORD-010420', 'typo'],
  ['ORD-O1O240', 'lookAlike'],
  ['ORD-01024', 'typo'],
  ['ORD-0102400', 'typo'],
  ['ODR-010240', 'typo'],
  ['RD-010240', 'typo'],
  ['10240', 'digits'],
  ['EUR100ORD-010240', 'lookAlike'],
])('the misspelled %s is only a suggestion', (text, kind) => {
  const { isAuto, numbers } = match(one, makeStatementLine(text))
  expect([isAuto, numbers]).toEqual([false, ['ORD-010240']])
  expect(findKinds(one, makeStatementLine(text))).toEqual([['ORD-010240', kind]])
})

test('where two readings are possible a person decides', () => {
  const lookup = makeMatchLookup([makeMatchOrder('INV-20261'), makeMatchOrder('INV-202610')])
  expect(match(lookup, makeStatementLine('INV-20261 0')).isAuto).toBe(false)
  expect(match(lookup, makeStatementLine('INV-202610'))).toMatchObject({ isAuto: true, numbers: ['INV-202610'] })
})

test('a text that is the number of two orders is not proof', () => {
  const lookup = makeMatchLookup([makeMatchOrder('ORD-010240'), makeMatchOrder('ORD_010240', { memberId: 'rui' })])
  expect(match(lookup, makeStatementLine('ORD 010240')).isAuto).toBe(false)
})

test('a short number is never enough', () => {
  const lookup = makeMatchLookup([makeMatchOrder('ORD-7')])
  expect(match(lookup, makeStatementLine('ORD-7'))).toMatchObject({ isAuto: false, numbers: ['ORD-7'] })
})

test('the RF reference of a short number is enough', () => {
  const rf = toRf('ORD7')!
  const lookup = makeMatchLookup([makeMatchOrder('ORD-7', { paymentReference: rf })])
  expect(match(lookup, makeStatementLine(`ref ${rf}`)).isAuto).toBe(true)
  expect(match(lookup, makeStatementLine(`ref ${rf.slice(0, 4)} ${rf.slice(4)}`)).isAuto).toBe(true)
  const structured = [{ scheme: 'SCOR', reference: rf }]
  expect(match(lookup, makeStatementLine('', { structured })).isAuto).toBe(true)
  const wrongDigits = rf.replace(/\d\d/, (digits) => String((Number(digits) + 1) % 97).padStart(2, '0'))
  expect(match(lookup, makeStatementLine(`ref ${wrongDigits}`)).isAuto).toBe(false)
})

test('the end-to-end id and the text of the bank are read as well', () => {
  expect(match(one, makeStatementLine('', { endToEndId: 'ORD-010240' })).isAuto).toBe(true)
  expect(match(one, makeStatementLine('', { info: ['GUTSCHRIFT ORD-010240'] })).isAuto).toBe(true)
})

test('keys fold what people and scanners confuse', () => {
  expect([foldNumber('ord_010.240'), foldLookAlikes('ORDO1'), foldDigits('ORD010240')]).toEqual([
    'ORD010240',
    '0R001',
    '10240',
  ])
  expect(['ORD7', '20260', 'ORD010240', '20260003'].map(isStrongNumber)).toEqual([false, false, true, true])
})
