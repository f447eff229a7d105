import fc from 'fast-check'
import { expect, test } from 'vitest'
import { continuesStatement, divideLines, lineKey, type NewLine, readContent, type StoredLines } from './identity.ts'
import { type StatementLine, emptyCounterparty, newLine } from './statement.ts'

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

/** What is stored of the key of a line that says the same as it. */
const stored = (line: StatementLine, last: number, free: number[], hasUnbooked = false): StoredLines => ({
  key: lineKey('1', line),
  content: readContent(line),
  last,
  free,
  hasUnbooked,
})
function divide(lines: StatementLine[], ...found: StoredLines[]) {
  const { fresh, known } = divideLines('1', lines, found)
  const describe = (all: NewLine[]) => all.map((each) => `${each.line.place} ${each.occurrence}`)
  return { fresh: describe(fresh), known: describe(known), another: describe(fresh.filter((each) => each.isAnother)) }
}

test('equal payments of a statement are counted', () => {
  const lines = [line({ place: 'a' }), line({ place: 'b', amount: '6.00' }), line({ place: 'c' })]
  expect(divide(lines).fresh).toEqual(['a 1', 'b 1', 'c 2'])
})

test('the same file again has nothing new', () => {
  const again = divide([line({ place: 'a' }), line({ place: 'b' })], stored(line(), 2, [2, 1]))
  expect(again).toEqual({ fresh: [], known: ['a 1', 'b 2'], another: [] })
})

test('an overlapping file has only what is new', () => {
  const lines = [line({ place: 'a' }), line({ place: 'b' }), line({ place: 'c', amount: '6.00' })]
  expect(divide(lines, stored(line(), 1, [1]))).toMatchObject({ fresh: ['b 2', 'c 1'], known: ['a 1'] })
})

test('equal lines of a statement that continues another are other payments', () => {
  expect(divide([line({ place: 'a' })], stored(line(), 2, [])).fresh).toEqual(['a 3'])
})

test('a line of a statement that continues another is known where a third has it', () => {
  expect(divide([line({ place: 'a' })], stored(line(), 2, [2])).known).toEqual(['a 2'])
})

const ofPayer = (name: string, over: Partial<StatementLine> = {}) =>
  line({ place: name, bankReference: 'R-1', counterparty: { ...emptyCounterparty(), name }, ...over })

test('a known reference of another payer or text is another payment', () => {
  const ana = stored(ofPayer('Ana Lima'), 1, [1])
  expect(divide([ofPayer('Bo Nilsson')], ana)).toMatchObject({ fresh: ['Bo Nilsson 2'], another: ['Bo Nilsson 2'] })
  const first = stored(ofPayer('Ana Lima', { remittance: ['ORD-1'] }), 1, [1])
  expect(divide([ofPayer('Ana Lima', { remittance: ['ORD-10'] })], first).another).toEqual(['Ana Lima 2'])
})

test('a line with a known reference is known where it leaves something out', () => {
  const whole = stored(ofPayer('Ana Lima', { remittance: ['ORD-1'] }), 1, [1])
  expect(divide([line({ place: 'a', bankReference: 'R-1' })], whole)).toMatchObject({ fresh: [], known: ['a 1'] })
})

test('zeros are no reference by which a line could be known', () => {
  const zeros = { bankReference: '0000000000' }
  const found = stored(ofPayer('Ana Lima', { ...zeros, remittance: ['ORD-1'] }), 1, [1])
  expect(divide([ofPayer('Ana Lima', zeros)], found).fresh).toEqual(['Ana Lima 2'])
})

test('payments without a reference differ by the reference that the payer gave as such', () => {
  const rf = (reference: string) => line({ place: reference, structured: [{ scheme: 'SCOR', reference }] })
  expect(divide([rf('RF2')], stored(rf('RF1'), 1, [1])).fresh).toEqual(['RF2 2'])
})

test('a line that was stored under the number of its entry is known', () => {
  const before = stored(ofPayer('Ana Lima', { bankReference: '7' }), 1, [1])
  const again = ofPayer('Ana Lima', { bankReference: null, entryNumber: '7' })
  expect(divide([again], before).known).toEqual(['Ana Lima 1'])
  expect(divide([{ ...again, entryNumber: '8' }], before).fresh).toEqual(['Ana Lima 1'])
})

test('a batch under the reference of another is new, unless only its order differs', () => {
  const ofBatch = (name: string, index: number) =>
    ofPayer(name, { bankReference: 'R', batch: { total: '10.00', count: 2, index } })
  const before = () => [stored(ofBatch('Ana Lima', 1), 1, [1]), stored(ofBatch('Bo Nilsson', 2), 1, [1])]
  expect(divide([ofBatch('Bo Nilsson', 1), ofBatch('Ana Lima', 2)], ...before()).fresh).toEqual([])
  expect(divide([ofBatch('Cyra Wu', 1)], ...before()).fresh).toEqual(['Cyra Wu 2'])
})

test('in whatever order lines come again, nothing of them is new', () => {
  const payer = fc.constantFrom('Ana Lima', 'Bo Nilsson', '')
  const payment = fc.record({
    name: payer,
    reference: fc.constantFrom(null, 'R-1', '000'),
    text: fc.constantFrom('', 'ORD-1', 'ORD-10'),
  })
  const toLine = ({ name, reference, text }: { name: string; reference: string | null; text: string }) =>
    ofPayer(name, { bankReference: reference, remittance: [text] })
  const property = fc.property(fc.array(payment, { maxLength: 12 }), fc.func(fc.nat()), (payments, weight) => {
    const lines = payments.map(toLine)
    const { fresh } = divideLines('1', lines, [])
    expect(fresh).toHaveLength(lines.length)
    const groups = Map.groupBy(fresh, (each) => JSON.stringify([each.key, readContent(each.line)]))
    const found = [...groups.values()].map((same) =>
      stored(
        same[0]!.line,
        Math.max(...fresh.filter(({ key }) => key === same[0]!.key).map(({ occurrence }) => occurrence)),
        same.map(({ occurrence }) => occurrence).toSorted((a, b) => b - a),
      ),
    )
    const again = payments.map(toLine).toSorted((a, b) => weight(a.place, a.remittance) - weight(b.place, b.remittance))
    expect(divideLines('1', again, found)).toMatchObject({ fresh: [] })
  })
  fc.assert(property, { numRuns: 200 })
})

test('a statement continues one of another number that ended with its opening balance', () => {
  const balance = { amount: '5.00', direction: 'credit', currency: 'EUR', day: null } as const
  const stored = { number: '7', closing: balance }
  expect(continuesStatement({ number: '8', opening: { ...balance, day: '2026-11-04' } }, stored)).toBe(true)
  expect(continuesStatement({ number: '7', opening: balance }, stored)).toBe(false)
  expect(continuesStatement({ number: '8', opening: { ...balance, amount: '5.01' } }, stored)).toBe(false)
  expect(continuesStatement({ number: '8', opening: null }, stored)).toBe(false)
})
