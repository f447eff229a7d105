import { expect, test } from 'vitest'
import { camtEntry, camtFile, collectStatements, mt940File, specimenIban } from '#test/support/bank-files.ts'
import { CsvProfileNeededError, guessProfile } from './csv-profile.ts'
import { limitLines, StatementTooLargeError } from './limits.ts'
import { readStatementFile, detectFormat } from './read-file.ts'
import { type StatementLine, newLine } from './statement.ts'

const read = async (bytes: Uint8Array, csvAccount?: Parameters<typeof readStatementFile>[2]) => {
  const found = collectStatements()
  const format = await readStatementFile(bytes, found.sink, csvAccount)
  return { ...found, format }
}
const csv = Buffer.from('Datum;Name;Betrag\n25.11.2026;A;5,00\n')
const account = { account: specimenIban, accountName: null, currency: 'EUR' }

test('the format is what the bytes say', () => {
  const formats = [
    ['PK\x03\x04', 'zip'],
    ['{1:F01X}{2:O940}{4:\r\n:20:X', 'MT940'],
    ['BANKNL2A\n940\n:25:1', 'MT940'],
    ['\uFEFF<?xml version="1.0"?><Document/>', 'camt'],
    ['<n:Document xmlns:n="x"/>', 'camt'],
    ['a;b\n1;2\n', 'CSV'],
    ['%PDF-1.4', null],
    ['OFXHEADER:100\nDATA:OFXSGML,\n', null],
    ['', null],
  ] as const
  for (const [text, format] of formats) expect(detectFormat(Buffer.from(text)), text).toBe(format)
})

test('a text in UTF-16 is recognised with and without a byte order mark', () => {
  expect(detectFormat(Buffer.from('\uFEFFa;b\n1;2\n', 'utf16le'))).toBe('CSV')
  expect(detectFormat(Buffer.from('<?xml version="1.0"?><Document/>', 'utf16le'))).toBe('camt')
})

test('each format is read by its content', async () => {
  expect((await read(Buffer.from(camtFile(camtEntry('1', 'CRDT'))))).statements[0]?.kind).toBe('camt.053')
  expect((await read(Buffer.from(mt940File(':61:261103C5,NTRFX')))).statements[0]?.kind).toBe('MT940')
  const { profile } = guessProfile(csv)
  expect((await read(csv, { csvAccount: { ...account, form: profile } })).statements[0]?.kind).toBe('CSV')
})

test('a CSV file without a profile is refused with a guess', async () => {
  for (const options of [undefined, { csvAccount: { ...account, form: null } }]) {
    const error: unknown = await read(csv, options).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(CsvProfileNeededError)
    expect(error).toMatchObject({
      message: 'How this bank writes CSV is not known yet: confirm the columns first',
      guess: { questions: ['signs', 'currency'], preview: [['25.11.2026', 'A', '5,00']] },
    })
  }
})

test('bytes that are nothing known are refused', async () => {
  await expect(read(Buffer.from('%PDF-1.4'))).rejects.toThrow(
    'This is not a camt.052, camt.053, camt.054, MT940 or CSV file',
  )
})

test('a file above 50 MB is refused', async () => {
  await expect(read(Buffer.alloc(50 * 1024 * 1024 + 1))).rejects.toThrow(StatementTooLargeError)
})

test('a file with too many lines is refused', async () => {
  const { sink } = collectStatements()
  const limited = limitLines(sink, { maximum: 2 })
  const bytes = Buffer.from(camtFile(camtEntry('1', 'CRDT')))
  await readStatementFile(bytes, limited)
  await readStatementFile(bytes, limited)
  await expect(readStatementFile(bytes, limited)).rejects.toThrow(
    'A statement file has at most 50 MB and 100,000 lines',
  )
})

test('lines that cannot be read count towards the limit', () => {
  const limited = limitLines(collectStatements().sink, { maximum: 1 })
  limited.unreadable('row 1: "x" is not a date')
  expect(() => limited.unreadable('row 2: "x" is not a date')).toThrow(StatementTooLargeError)
})

/** What `limitLines` says of a line on November 25, 2026; undefined where it passes. */
async function faultOf(over: Partial<StatementLine>) {
  const { sink, unreadable } = collectStatements()
  const line = newLine({ place: 'line 4', amount: '5.00', currency: 'EUR', direction: 'credit', ...over })
  await limitLines(sink, { today: '2026-11-25' }).lines([line])
  return unreadable[0]
}

test('a payment whose texts are longer than 200,000 characters is named', async () => {
  const texts = Array.from({ length: 3 }, () => 'x'.repeat(70_000))
  expect(await faultOf({ remittance: texts })).toBe('line 4: its texts are longer than 200,000 characters')
  expect(await faultOf({ remittance: texts.slice(1) })).toBeUndefined()
})

test('an amount with more places than its currency is named (product 6.11)', async () => {
  const faults = [
    ['12.345', 'EUR', 'line 4: 12.345 has more places than EUR, which has 2'],
    ['500.50', 'JPY', 'line 4: 500.50 has more places than JPY, which has 0'],
    ['1.2345', 'KWD', 'line 4: 1.2345 has more places than KWD, which has 3'],
    ['500.00', 'JPY', undefined],
    ['1.234', 'KWD', undefined],
    // Its cash is whole, its accounts are not.
    ['12.50', 'HUF', undefined],
  ] as const
  for (const [amount, currency, fault] of faults) expect(await faultOf({ amount, currency }), amount).toBe(fault)
})

test('a day before 2000 or more than 31 days ahead is named (product 6.11)', async () => {
  expect(await faultOf({ bookedOn: '2569-11-25' })).toBe(
    'line 4: 2569-11-25 is not a day from 2000-01-01 to 2026-12-26',
  )
  expect(await faultOf({ bookedOn: '2026-12-27' })).toBeDefined()
  expect(await faultOf({ bookedOn: '1999-12-31' })).toBeDefined()
  expect(await faultOf({ bookedOn: '2026-11-25', valueOn: '9999-11-25' })).toBeDefined()
  expect(await faultOf({ bookedOn: '2026-12-26', valueOn: '2000-01-01' })).toBeUndefined()
})
