import { expect, test } from 'vitest'
import { StatementError, balanceDifference, sumBooked } from './statement.ts'
import { collectStatements, mt940File, specimenIban } from '#test/support/bank-files.ts'
import { readMt940 } from './mt940.ts'

async function readBytes(bytes: Uint8Array) {
  const found = collectStatements()
  await readMt940(bytes, found.sink)
  return found
}
const read = (text: string) => readBytes(Buffer.from(text, 'latin1'))
const readRows = (...rows: string[]) => read(mt940File(...rows))
const differences = ({ statements }: Awaited<ReturnType<typeof read>>) =>
  statements.map((statement) => balanceDifference(statement, sumBooked(statement.lines)))

test('marks tell direction, reversal and booking', async () => {
  const found = await readRows(
    ':61:2611031103CR5,NTRFNONREF//B1',
    ':61:2611031103RC2,50NMSCabc',
    ':61:2611031103RD1,NTRFX',
    ':61:2611031103ED9,NTRFX',
    ':62F:C261103EUR103,50',
  )
  expect(
    found.lines().map(({ amount, direction, isReversal, booking }) => [amount, direction, isReversal, booking]),
  ).toEqual([
    ['5.00', 'credit', false, 'booked'],
    ['2.50', 'debit', true, 'booked'],
    ['1.00', 'credit', true, 'booked'],
    ['9.00', 'debit', false, 'pending'],
  ])
  expect(differences(found)).toEqual(['0.00'])
})

test('the references of both sides stand before and behind the slashes', async () => {
  const [first, second, third] = (
    await readRows(
      ':61:2611031103CR5,NTRFNONREF//B1',
      ':61:261103C5,NTRFORD-7',
      ':61:261103C5,NTRFEREF//B2\r\nsupplement',
    )
  ).lines()
  expect(first).toMatchObject({ endToEndId: null, bankReference: 'B1', code: 'NTRF' })
  expect(second).toMatchObject({ endToEndId: 'ORD-7', bankReference: null })
  expect(third).toMatchObject({ endToEndId: null, bankReference: 'B2', info: ['supplement'] })
})

test('the entry date is the one nearest to the value date', async () => {
  const [after, before] = (await readRows(':61:2512310102D1,NTRFX', ':61:2601021231D1,NTRFX')).lines()
  expect([after?.valueOn, after?.bookedOn]).toEqual(['2025-12-31', '2026-01-02'])
  expect([before?.valueOn, before?.bookedOn]).toEqual(['2026-01-02', '2025-12-31'])
})

test('February 30 becomes the last day of February with a warning', async () => {
  const [line] = (await readRows(':61:260230D,5N')).lines()
  expect(line).toMatchObject({
    amount: '0.50',
    valueOn: '2026-02-28',
    warnings: ['the value date 260230 does not exist'],
  })
})

test('a line is named by its place in the file', async () => {
  expect((await readRows(':61:261103C5,NTRFNONREF')).lines()[0]?.place).toBe('line 5')
})

test('a text may look like a field', async () => {
  const [line] = (
    await readRows(':61:261103C5,NTRFNONREF', ':86:at 08', ':08 o clock', ':62F:C261103EUR105,00')
  ).lines()
  expect(line?.remittance).toEqual(['at 08', ':08 o clock'])
})

test('a row of a dash alone ends no text where its message goes on', async () => {
  const text = [':86:for the order', '-', 'ORD-7 of Ana Lima']
  const textsOf = async (file: string) => (await read(file)).lines().map(({ remittance }) => remittance.join(' '))
  const whole = 'for the order - ORD-7 of Ana Lima'
  const closing = ':62F:C261103EUR105,00'
  expect(await textsOf(mt940File(':61:261103C5,NTRFNONREF', ...text, closing, '-'))).toEqual([whole])
  // The end of a report has no field of its own, and banks write what they like between two messages.
  const report = [':20:X', ':25:1', ':28C:1', ':34F:EURD0,', ':61:261103C5,NTRFNONREF', ...text, '-'].join('\n')
  expect(await textsOf(report)).toEqual([whole])
  expect(await textsOf(`${report}\nBANKNL2A\n942\n${report}\n`)).toEqual([whole, whole])
  expect(await textsOf(`{1:F01X}{4:\n${report}}`)).toEqual([whole])
})

test('a text in a field of no standard stays with the movement before it', async () => {
  const texts = [':86:ORD-7', ':NS:01of Ana Lima', '02in person', ':61:261103C6,NTRFNONREF', ':NS:gift']
  const lines = (await readRows(':NS:22Example Park', ':61:261103C5,NTRFNONREF', ...texts)).lines()
  expect(lines.map(({ remittance }) => remittance)).toEqual([['ORD-7', 'of Ana Lima', 'in person'], ['gift']])
})

test('statements without :20: are told apart by their accounts', async () => {
  const daily = (day: string) =>
    `BANKNL2A\n940\n:25:${specimenIban}\n:28:${day}/1\n:60F:C26111${day}EUR0,\n:61:26111${day}C5,NTRFX\n:62F:C26111${day}EUR5,\n-\n`
  const { statements } = await read(daily('3') + daily('4'))
  expect(statements).toMatchObject([
    { account: specimenIban, number: '3', externalId: null, lines: [{ bookedOn: '2026-11-13' }] },
    { account: specimenIban, number: '4', lines: [{ bookedOn: '2026-11-14' }] },
  ])
})

test.each(['1,123456', '1.500', '1234567.8', '1,234.56'])('the amount %s is not a movement', async (amount) => {
  const { unreadable, lines } = await readRows(`:61:261103C${amount}NTRFNONREF`)
  expect([unreadable, lines()]).toEqual([[`line 5: "261103C${amount}NTRFNONREF" is not a movement`], []])
})

test('a field whose colon stands on a row of its own is read', async () => {
  const [line] = (await readRows(':', '61:261103C5,NTRFNONREF', ':86:text')).lines()
  expect(line).toMatchObject({ amount: '5.00', remittance: ['text'] })
})

test('pages are one statement, and statements are several', async () => {
  const page = (number: number, first: string, from: string, to: string, last: string) =>
    [
      ':20:X',
      `:25:${specimenIban}`,
      `:28C:7/${number}`,
      `:60${first}:C261101EUR${from}`,
      ':61:261103C5,NTRFNONREF',
      `:62${last}:C261103EUR${to}`,
      '-',
    ].join('\r\n')
  const found = await read(
    [page(1, 'F', '0,', '5,', 'M'), page(2, 'M', '5,', '10,', 'F'), page(1, 'F', '10,', '15,', 'F')].join('\r\n'),
  )
  expect(found.statements.map(({ lines, number }) => [number, lines.length])).toEqual([
    ['7', 2],
    ['7', 1],
  ])
  expect(differences(found)).toEqual(['0.00', '0.00'])
})

test('envelopes and signs for line breaks are read', async () => {
  const swift = `{1:F01XXXXDEFFXXXX0000000000}{2:O9400000000000XXXXDEFFXXXX00000000000000000000N}{4:\r\n${mt940File(':61:261103C5,NTRFX')}\r\n-}`
  const telex = mt940File(':61:261103C5,NTRFX', ':62F:C261103EUR105,').replaceAll('\r\n', '@@')
  for (const text of [swift, telex]) expect((await read(text)).lines(), text).toHaveLength(1)
})

test('the account is an IBAN where :25: holds one', async () => {
  const accountOf = async (value: string) =>
    (await read(`:20:X\n:25:${value}\n:60F:C261101EUR0,\n:62F:C261101EUR0,`)).statements[0]?.account
  expect(await accountOf(`/${specimenIban}`)).toBe(specimenIban)
  expect(await accountOf(`${specimenIban}EUR`)).toBe(specimenIban)
  expect(await accountOf('37040044/0532013000')).toBe('37040044/0532013000')
})

test('an interim report is MT942 and takes its currency from the floor limit', async () => {
  const found = await read(':20:X\n:25:1\n:28C:1\n:34F:EURD0,\n:13D:2611031200+0100\n:61:261103C5,NTRFX\n:90C:1EUR5,')
  expect(found.statements[0]).toMatchObject({ kind: 'MT942', currency: 'EUR', opening: null })
  expect(found.lines()[0]).toMatchObject({ amount: '5.00', currency: 'EUR' })
})

test('UTF-8 is read where the bytes are, else windows-1252', async () => {
  const text = mt940File(':61:261103C5,NTRFX', ':86:Grüße')
  for (const encoding of ['utf8', 'latin1'] as const)
    expect((await readBytes(Buffer.from(text, encoding))).lines()[0]?.remittance).toEqual(['Grüße'])
})

test('another SWIFT message is told to be about no account', async () => {
  await expect(read(':20:X\r\n:32A:261103EUR5,')).rejects.toThrow(
    'This SWIFT message is about no account: it has no :25: field',
  )
})

test('a message without an account is named and the others are read', async () => {
  const { unreadable, lines } = await read(`${mt940File(':61:261103C5,NTRFX')}\r\n-\r\n:20:Y\r\n:61:261103C5,NTRFX`)
  expect(unreadable).toEqual(['line 8: This SWIFT message is about no account: it has no :25: field'])
  expect(lines()).toHaveLength(1)
})

test('a broken balance names its line', async () => {
  await expect(readRows(':61:261103C5,NTRF', ':', ':62F:what')).rejects.toMatchObject({
    message: 'line 7: "what" is not a balance',
    place: 'line 7',
  })
})

test('a file that was cut off anywhere behind its opening balance is refused', async () => {
  const whole =
    ':20:X\n:25:123\n:28C:7/1\n:60F:C261102EUR100,00\n:61:2611031103C4321,00NTRFNONREF\n:86:Payment\n:62F:C261103EUR4421,00'
  const begun = whole.indexOf('100,00') + '100,00'.length
  for (let end = begun; end < whole.length - ',00'.length; end++)
    await expect(read(whole.slice(0, end)), whole.slice(0, end)).rejects.toThrow(StatementError)
  expect((await read(whole)).lines()).toMatchObject([{ amount: '4321.00' }])
})

test('a statement without its end says where it began, and that the file is cut off (product 9.9)', async () => {
  await expect(read(':20:X\n:25:123\n:28C:7/1\n:60F:C261102EUR100,00\n:61:261103C5,NTRFX')).rejects.toMatchObject({
    message: 'line 4: the statement has no closing balance, so the file is cut off',
    place: 'line 4',
  })
})

test('a field before the first message is refused', async () => {
  await expect(read(':25:1\n:20:X')).rejects.toThrow('line 1: :25: stands before any :20:')
})

test('a movement that cannot be read is named and the others are read', async () => {
  const { unreadable, lines } = await readRows(
    ':61:garbage',
    ':86:its text',
    ':61:269903C5,NTRFX',
    ':61:261103C5,NTRFX',
    ':86:A',
  )
  expect(unreadable).toEqual(['line 5: "garbage" is not a movement', 'line 7: "269903C5,NTRFX" is not a movement'])
  expect(lines().map(({ remittance }) => remittance)).toEqual([['A']])
})

test.each(['x\r\n'.repeat(60_000), 'x'.repeat(100_001)])(
  'a text longer than 100,000 characters is refused, in one row or many',
  async (text) => {
    const refusal = 'line 6: a text is longer than 100,000 characters'
    await expect(readRows(':61:261103C5,NTRFX', `:86:${text}`)).rejects.toThrow(refusal)
  },
)

test('others get their turn while rows are read that are no movements', async () => {
  let turns = 0
  const next = () => {
    turns += 1
    turning = setImmediate(next)
  }
  let turning = setImmediate(next)
  await readRows(...Array.from({ length: 50_000 }, () => `:61:261103C1${' '.repeat(100)}`))
  clearImmediate(turning)
  expect(turns).toBeGreaterThan(1)
})

test('rows made to slow down a search are read at once', async () => {
  const blanks = ' '.repeat(90_000)
  const { unreadable } = await readRows(`:61:261103C${blanks}x`, ':61:261103C5,NTRFX', `:86:NAAM: ${blanks}x`)
  expect(unreadable).toHaveLength(1)
  await expect(readRows(`:62F:C261103EUR${'1.'.repeat(45_000)}`)).rejects.toThrow('is not a balance')
})

test('thousands of movements are handed over in chunks', async () => {
  const { chunks, lines } = await readRows(...Array.from({ length: 2300 }, () => ':61:261103C5,NTRFX'))
  expect(lines()).toHaveLength(2300)
  expect(Math.max(...chunks)).toBeLessThanOrEqual(500)
})

test('an amount with groups of another size is named', async () => {
  const { lines, unreadable } = await readRows(':61:2611031103C1.50,00NTRFX', ':61:2611031103C1.500,00NTRFX')
  expect(lines().map(({ amount }) => amount)).toEqual(['1500.00'])
  expect(unreadable).toEqual([expect.stringContaining('is not a movement')])
})

test('a text in the form of another bank proves nothing at a bank of plain texts', async () => {
  const forged = ':86:166?00GUTSCHRIFT?20ORD-1?31DE89370400440532013000?32ANA LIMA'
  const plain = [':61:261103C5,NTRFX', ':86:RUI PIRES CLUB', ':61:261103C6,NTRFX', ':86:EVA HALL CLUB']
  const names = async (...rows: string[]) =>
    (await read(mt940File(...rows))).lines().map(({ counterparty: { name, iban, textName } }) => [name, iban, textName])
  expect(await names(...plain, ':61:261103C7,NTRFX', forged)).toContainEqual([null, null, 'ANA LIMA'])
  expect(await names(':61:261103C7,NTRFX', forged)).toEqual([['ANA LIMA', 'DE89370400440532013000', null]])
})
