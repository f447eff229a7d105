import { expect, test } from 'vitest'
import { continuesStatement, divideLines, identifyLines, lineKey } from './identity.ts'
import { emptyCounterparty, newLine } from './line.ts'
import type { StatementLine } from './statement.ts'

const line = (over: Partial<StatementLine> = {}) =>
  newLine({ place: 'line 1', amount: '5.00', currency: 'EUR', direction: 'credit', bookedOn: '2026-11-03', ...over })
const key = (over: Partial<StatementLine> = {}) => lineKey('1', line(over))

test('a line has the same key in each file', () => {
  expect(key({ place: 'line 9', info: ['x'], remittance: ['ORD-', '7 a'] })).toBe(key({ remittance: ['ord-7', 'A'] }))
})

test('day, direction, amount, currency and account tell lines apart', () => {
  const others: Partial<StatementLine>[] = [
    { bookedOn: '2026-11-04' },
    { direction: 'debit' },
    { isReversal: true },
    { amount: '5.01' },
    { currency: 'CHF' },
  ]
  for (const over of others) expect(key(over)).not.toBe(key())
  expect(lineKey('2', line())).not.toBe(key())
})

test('a bank reference tells lines apart, with the place in the batch', () => {
  const batch = { total: '9.00', count: 2 }
  const keys = [
    key({ bankReference: 'A' }),
    key({ bankReference: 'B' }),
    key({ bankReference: 'A', batch: { ...batch, index: 1 } }),
    key({ bankReference: 'A', batch: { ...batch, index: 2 } }),
    key({ bankReference: 'A', batch: { ...batch, isRest: true } }),
  ]
  expect(new Set(keys).size).toBe(5)
  expect(key({ bankReference: 'A', remittance: ['x'] })).toBe(key({ bankReference: 'A', remittance: ['y'] }))
})

test('without a bank reference the text, payer and account tell lines apart', () => {
  const party = emptyCounterparty()
  const keys = [
    key({ remittance: ['A'] }),
    key({ endToEndId: 'E-1' }),
    key({ counterparty: { ...party, name: 'Ana Lima' } }),
    key({ counterparty: { ...party, iban: 'DE89370400440532013000' } }),
  ]
  expect(new Set([key(), ...keys]).size).toBe(5)
})

test('equal payments of a statement are counted, over chunks too', () => {
  const seen = new Map<string, number>()
  const first = identifyLines('1', [line(), line({ amount: '6.00' }), line()], seen)
  const second = identifyLines('1', [line()], seen)
  expect([...first, ...second].map(({ ordinal }) => ordinal)).toEqual([1, 1, 2, 3])
})

test('the same file again has nothing new', () => {
  const identified = identifyLines('1', [line(), line()], new Map())
  const { fresh, known } = divideLines(identified, new Map([[key(), { stored: 2, before: 0 }]]))
  expect([fresh.length, known.map(({ occurrence }) => occurrence)]).toEqual([0, [1, 2]])
})

test('an overlapping file has only what is new', () => {
  const identified = identifyLines('1', [line(), line(), line({ amount: '6.00' })], new Map())
  const { fresh, known } = divideLines(identified, new Map([[key(), { stored: 1, before: 0 }]]))
  expect(fresh.map(({ line, occurrence }) => [line.amount, occurrence])).toEqual([
    ['5.00', 2],
    ['6.00', 1],
  ])
  expect(known).toHaveLength(1)
})

test('equal lines of a statement that continues another are other payments', () => {
  const identified = identifyLines('1', [line()], new Map())
  const { fresh } = divideLines(identified, new Map([[key(), { stored: 2, before: 2 }]]))
  expect(fresh.map(({ occurrence }) => occurrence)).toEqual([3])
})

test('a line of a statement that continues another is known where a third has it', () => {
  const identified = identifyLines('1', [line()], new Map())
  const { known } = divideLines(identified, new Map([[key(), { stored: 2, before: 1 }]]))
  expect(known.map(({ occurrence }) => occurrence)).toEqual([2])
})

test('a statement continues one of another number that ended with its opening balance', () => {
  const balance = { amount: '5.00', direction: 'credit', currency: 'EUR', day: null } as const
  const stored = { number: '7', closing: balance }
  expect(continuesStatement({ number: '8', opening: { ...balance, day: '2026-11-04' } }, stored)).toBe(true)
  expect(continuesStatement({ number: '7', opening: balance }, stored)).toBe(false)
  expect(continuesStatement({ number: '8', opening: { ...balance, amount: '5.01' } }, stored)).toBe(false)
  expect(continuesStatement({ number: '8', opening: null }, stored)).toBe(false)
})
