import { expect, test } from 'vitest'
import type { CsvProfile } from '#contract/schemas/csv-profile.ts'
import { collectStatements, specimenIban } from '#test/support/bank-files.ts'
import { balanceDifference, sumBooked } from './statement.ts'
import { readCsv } from './csv.ts'
import { CsvProfileNeededError, guessProfile } from './csv-profile.ts'

async function read(bytes: Uint8Array, profile: CsvProfile) {
  const found = collectStatements()
  await readCsv(bytes, { account: specimenIban, accountName: 'Example Park', currency: 'EUR', profile }, found.sink)
  return found
}
const readGuessed = (text: string, encoding: BufferEncoding = 'utf8') => {
  const bytes = Buffer.from(text, encoding)
  return read(bytes, guessProfile(bytes).profile)
}

test('rows that cannot be read are named and the rest is read', async () => {
  const { lines, unreadable } = await readGuessed(
    'Bank of Example\n\nDatum;Betrag;Verwendungszweck;Währung\n25.11.2026;"1.500,00";"a;b";EUR\n31.11.2026;1,00;x;EUR\n' +
      '26.11.2026;;y;EUR\n26.11.2026;1.0,00;y;EUR\n26.11.2026;1,00;y;EURO\n',
  )
  expect(lines().map(({ place, amount, remittance }) => [place, amount, remittance])).toEqual([
    ['row 4', '1500.00', ['a;b']],
  ])
  expect(unreadable).toEqual([
    'row 5: "31.11.2026" is not a date',
    'row 6: the row has no amount',
    'row 7: "1.0,00" is not an amount',
    'row 8: "EURO" is not a currency',
  ])
})

test('the account and its currency are those that were given', async () => {
  const { statements } = await readGuessed('Date;Amount;Name\n25/11/2026;1.00;Ana Lima\n')
  expect(statements[0]).toMatchObject({
    kind: 'CSV',
    account: specimenIban,
    accountName: 'Example Park',
    currency: 'EUR',
    number: null,
    opening: null,
  })
  expect(statements[0]?.lines[0]).toMatchObject({
    amount: '1.00',
    currency: 'EUR',
    direction: 'credit',
    bookedOn: '2026-11-25',
    counterparty: { name: 'Ana Lima' },
  })
})

test('credits and debits may have columns of their own', async () => {
  const { lines, unreadable } = await readGuessed(
    'Date,Name,Paid in,Paid out\n25/11/2026,A,"1,200.00",\n25/11/2026,B,,-3.00\n25/11/2026,C,0.00,-4.00\n25/11/2026,D,5.00,-6.00\n',
  )
  expect(lines().map(({ amount, direction }) => [amount, direction])).toEqual([
    ['1200.00', 'credit'],
    ['3.00', 'debit'],
    ['4.00', 'debit'],
  ])
  expect(unreadable).toEqual(['row 5: the row is credit and debit at once'])
})

test('a column may say the direction', async () => {
  const { lines } = await readGuessed('Datum;Naam;Af Bij;Bedrag\n20261125;A;Bij;5,00\n20261125;B;Af;6,00\n')
  expect(lines().map(({ amount, direction }) => [amount, direction])).toEqual([
    ['5.00', 'credit'],
    ['6.00', 'debit'],
  ])
})

test('only its own column proves the account of the payer', async () => {
  const { lines } = await readGuessed(
    `Datum;IBAN;Verwendungszweck;Betrag\n25.11.2026;${specimenIban};A;5,00\n25.11.2026;;von ${specimenIban};5,00\n25.11.2026;0532013000;A;5,00\n`,
  )
  expect(lines().map(({ counterparty: { iban, account, textIban } }) => [iban, account, textIban])).toEqual([
    [specimenIban, null, null],
    [null, null, specimenIban],
    [null, '0532013000', null],
  ])
})

test('a column of balances that adds up gives the balances of the file', async () => {
  const head = 'Datum;Name;Betrag;Saldo\n'
  const rows = ['24.11.2026;A;5,00;105,00', '25.11.2026;B;-6,50;98,50', '25.11.2026;C;1,00;99,50']
  for (const order of [rows, rows.toReversed()]) {
    const [statement] = (await readGuessed(head + order.join('\n'))).statements
    expect([statement?.opening?.amount, statement?.closing?.amount]).toEqual(['100.00', '99.50'])
    expect(statement && balanceDifference(statement, sumBooked(statement.lines))).toBe('0.00')
  }
  const [broken] = (await readGuessed(head + [rows[0], rows[2]].join('\n'))).statements
  expect([broken?.opening, broken?.closing]).toEqual([null, null])
})

test('amounts and balances in Indian groups are read', async () => {
  const { statements, unreadable } = await readGuessed(
    'Date,Narration,Chq./Ref.No.,Value Dt,Withdrawal Amt.,Deposit Amt.,Closing Balance\n' +
      '13/11/26,NEFT ORD-1,R1,13/11/26,,"1,25,000.00","11,25,000.00"\n' +
      '15/11/26,UPI ORD-2,R2,15/11/26,,"50,500.50","11,75,500.50"\n' +
      '16/11/26,RTGS,R3,16/11/26,"10,00,000.00",,"1,75,500.50"\n',
  )
  expect(unreadable).toEqual([])
  expect(statements[0]?.lines.map(({ amount, direction }) => [amount, direction])).toEqual([
    ['125000.00', 'credit'],
    ['50500.50', 'credit'],
    ['1000000.00', 'debit'],
  ])
  expect([statements[0]?.opening?.amount, statements[0]?.closing?.amount]).toEqual(['1000000.00', '175500.50'])
})

test('an amount in groups of mixed sizes is named as unreadable', async () => {
  const { lines, unreadable } = await readGuessed(
    'Date,Narration,Deposit Amt.\n13/11/26,A,"1,25,000.00"\n14/11/26,B,"1,250,00,000.00"\n',
  )
  expect(lines()).toHaveLength(1)
  expect(unreadable).toEqual(['row 3: "1,250,00,000.00" is not an amount'])
})

test('each encoding of a profile is read', async () => {
  const text = 'Datum;Name;Betrag\n25.11.2026;Grüße €;5,00\n'
  const { profile } = guessProfile(Buffer.from(text))
  const files = [
    [Buffer.from(`\uFEFF${text}`), 'utf-8'],
    [Buffer.from(`\uFEFF${text}`, 'utf16le'), 'utf-16le'],
    [Buffer.from(text.replace('€', '\u0080'), 'latin1'), 'windows-1252'],
    [Buffer.from(text.replace('€', '\u00A4'), 'latin1'), 'iso-8859-15'],
  ] as const
  for (const [bytes, encoding] of files) {
    const { lines } = await read(bytes, { ...profile, encoding })
    expect(lines()[0]?.counterparty.name, encoding).toBe('Grüße €')
  }
})

test('bytes in another encoding than the profile says are refused', async () => {
  const { profile } = guessProfile(Buffer.from('Datum;Name;Betrag\n25.11.2026;A;5,00\n'))
  const latin = Buffer.from('Datum;Name;Betrag\n25.11.2026;Grüße;5,00\n', 'latin1')
  await expect(read(latin, profile)).rejects.toThrow('The file is not utf-8, as it says')
})

test('rows above the headings may change', async () => {
  const { profile } = guessProfile(Buffer.from('Konto;1\nDatum;Name;Betrag\n25.11.2026;A;5,00\n'))
  const { lines } = await read(Buffer.from('Konto;1\nZeitraum\n\nDatum;Name;Betrag\n25.11.2026;A;5,00\n'), profile)
  expect(lines()[0]?.place).toBe('row 5')
})

test('a file with other headings asks for its columns again', async () => {
  const { profile } = guessProfile(Buffer.from('Datum;Name;Betrag\n25.11.2026;A;5,00\n'))
  const moved = read(Buffer.from('Datum;Betrag;Name\n25.11.2026;5,00;A\n'), profile)
  await expect(moved).rejects.toBeInstanceOf(CsvProfileNeededError)
})

test('a profile may say that there are no headings', async () => {
  const profile: CsvProfile = {
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: -1,
    columns: { bookedOn: 0, amount: 1 },
    decimalSign: ',',
    dateOrder: 'dmy',
  }
  expect((await read(Buffer.from('25.11.2026;5,00\n'), profile)).lines()[0]).toMatchObject({
    place: 'row 1',
    amount: '5.00',
  })
})

test('a quote that is not closed is told with its line', async () => {
  const text = 'Datum;Name;Betrag\n25.11.2026;A;5,00\n25.11.2026;"B;5,00\n'
  const { profile } = guessProfile(Buffer.from(text.replaceAll('"', '')))
  await expect(read(Buffer.from(text), profile)).rejects.toThrow(
    /^line \d: the file is damaged: a quote is not closed$/,
  )
})

test('a row longer than 100,000 characters is refused', async () => {
  const text = `Datum;Name;Betrag\n25.11.2026;${'x'.repeat(100_001)};5,00\n`
  const { profile } = guessProfile(Buffer.from('Datum;Name;Betrag\n25.11.2026;A;5,00\n'))
  await expect(read(Buffer.from(text), profile)).rejects.toThrow('line 2: a text is longer than 100,000 characters')
})

test('thousands of rows are handed over in chunks', async () => {
  const { chunks, lines } = await readGuessed(`Datum;Name;Betrag\n${'25.11.2026;Grüße;5,00\n'.repeat(2300)}`)
  expect(lines()).toHaveLength(2300)
  expect(Math.max(...chunks)).toBeLessThanOrEqual(500)
})

test.each([
  ['more cells than the headings', `18.11.2026;900,00;hi;Ana Lima;${specimenIban};MALLORY;`],
  ['more cells than the first row, the last one empty', `18.11.2026;900,00;hi;Ana Lima;;`],
])('a row of %s was shifted by a text and is named', async (_what, row) => {
  const { lines, unreadable } = await readGuessed(
    `Date;Amount;Text;Payer;IBAN\n17.11.2026;-5,00;A;B;C\n${row}\n19.11.2026;-6,00;A;B;C\n`,
  )
  expect(lines().map(({ amount }) => amount)).toEqual(['5.00', '6.00'])
  expect(unreadable).toEqual([`row 3: the row has ${row.split(';').length} cells instead of 5`])
})

test('each row may end with one more empty cell than the headings', async () => {
  const { lines } = await readGuessed('Date,Text,Amount\n11/17/2026,A,5.00,\n11/18/2026,B,-6.00,\n')
  expect(lines()).toHaveLength(2)
})

test.each([
  ['a column of debits', 'Date;Debit;Credit', ['42,10;', '-42,10;']],
  ['a column of debits with minus', 'Date;Debit;Credit', ['-42,10;', '42,10;']],
  ['a column of signs', 'Date;Amount;D/C', ['42,10;D', '-42,10;D']],
])('a reversal in %s is named, since it may be money in', async (_where, headings, [out, reversal]) => {
  const credit = headings.endsWith('C') ? '1,00;C' : ';1,00'
  const { lines, unreadable } = await readGuessed(
    `${headings}\n17.11.2026;${credit}\n18.11.2026;${out}\n19.11.2026;${reversal}\n`,
  )
  expect(lines().map(({ amount, direction }) => [amount, direction])).toEqual([
    ['1.00', 'credit'],
    ['42.10', 'debit'],
  ])
  expect(unreadable).toEqual([expect.stringMatching(/^row 4: -?42\.10 of money out has/)])
})

test('a row that says in place of its day that it is not booked is left out', async () => {
  const { lines, statements, unreadable } = await readGuessed(
    'Buchungstag;Text;Betrag\noffen;A;700,00\n17.11.2026;B;5,00\n18.11.2026;C;-6,00\n\nDisclaimer:\n',
  )
  expect([lines().length, unreadable]).toEqual([2, []])
  expect(statements[0]?.warnings).toEqual(['Left out, since they are not booked: 1 "offen"'])
})

test.each(["''", '0000000000', '-', '****1234'])(
  '%s is not an account, so that strangers have none in common',
  async (cell) => {
    const { lines } = await readGuessed(`Datum;Name;Gegenkonto;Betrag\n17.11.2026;A;${cell};5,00\n`)
    expect(lines()[0]?.counterparty).toMatchObject({ name: 'A', iban: null, account: null })
  },
)

test('an account may stand in apostrophes', async () => {
  const { lines } = await readGuessed(`Datum;Name;Gegenkonto;Betrag\n17.11.2026;A;'${specimenIban}';5,00\n`)
  expect(lines()[0]?.counterparty.iban).toBe(specimenIban)
})

test('an opening balance and one with blanks between its letters are balances', async () => {
  const { lines, statements, unreadable } = await readGuessed(
    'Data;Histórico;Valor\n31/10/2026;Saldo Anterior;1000,00\n17/11/2026;A;1500,00\n18/11/2026;B;-42,10\n18/11/2026;S A L D O;2457,90\n',
  )
  expect([lines().length, statements[0]?.closing?.amount, unreadable]).toEqual([2, '2457.90', []])
})

test('a quote that is not closed is named by its line', async () => {
  await expect(readGuessed('Date;Text;Amount\n17.11.2026;A;1,00\n18.11.2026;"B;-5,00\n')).rejects.toThrow(
    'a quote is not closed',
  )
})

test('headings that come again are refused, since another account may follow', async () => {
  const reading = readGuessed('Date;Text;Amount\n17.11.2026;A;-1,00\n\nSavings\nDate;Text;Amount\n17.11.2026;B;9,00\n')
  await expect(reading).rejects.toThrow('row 5: the headings come again')
})

test.each(['15 00,00', "15'00,00", '"100\n200"', '1234 567'])('%j is not an amount', async (cell) => {
  const { lines, unreadable } = await readGuessed(`Date;Text;Amount\n17.11.2026;A;-1,00\n17.11.2026;B;${cell}\n`)
  expect([lines().length, unreadable]).toEqual([1, [expect.stringContaining('is not an amount')]])
})
