import { expect, test } from 'vitest'
import { csvProfileSchema } from '#contract/schemas/csv-profile.ts'
import { specimenIban } from '#test/support/bank-files.ts'
import { guessProfile } from './csv-profile.ts'
import { guessDateOrder, guessDecimalSign, parseLocalDay } from './csv-values.ts'

test('a decimal sign that fits both readings is not guessed', () => {
  expect(guessDecimalSign(['1.500', '2.000'])).toBeUndefined()
  expect(guessDecimalSign(['1.50', '1,50'])).toBeUndefined()
  expect(guessDecimalSign([])).toBeUndefined()
})

test('a decimal sign is guessed from what stands beside it', () => {
  expect(guessDecimalSign(['1.500,00'])).toBe(',')
  expect(guessDecimalSign(['1,500.5'])).toBe('.')
  expect(guessDecimalSign(['1.234.567'])).toBe(',')
  expect(guessDecimalSign(['42,100', '1500,000'])).toBe(',')
  expect(guessDecimalSign(['1.500', '2,50-', '3,00 EUR'])).toBe(',')
})

test('an order of dates that fits two readings is not guessed', () => {
  expect(guessDateOrder(['03.04.2026', '05.06.2026'])).toBeUndefined()
  expect(guessDateOrder(['13.04.2026', '05.16.2026'])).toBeUndefined()
  expect(guessDateOrder(['26/11/17', '26/11/18'])).toBeUndefined()
  expect(guessDateOrder([])).toBeUndefined()
})

test('an order of dates is guessed from a day above 12', () => {
  expect(guessDateOrder(['03.04.2026', '25.06.2026'])).toBe('dmy')
  expect(guessDateOrder(['06/25/2026'])).toBe('mdy')
  expect(guessDateOrder(['2026-06-03'])).toBe('ymd')
  expect(guessDateOrder(['20260603'])).toBe('ymd')
  expect(guessDateOrder(['03 Apr 2026'])).toBe('dmy')
  expect(guessDateOrder(['03-Apr-26 10:11', '26-Apr-26 10:11'])).toBe('dmy')
})

test('a date is read by its order', () => {
  expect(parseLocalDay('03.04.2026', 'dmy')).toBe('2026-04-03')
  expect(parseLocalDay('03/04/26', 'mdy')).toBe('2026-03-04')
  expect(parseLocalDay('2026-04-03 10:00:00', 'ymd')).toBe('2026-04-03')
  expect(parseLocalDay('20260403', 'dmy')).toBe('2026-04-03')
  expect(parseLocalDay('20260403 10:00:00', 'dmy')).toBe('2026-04-03')
  expect(parseLocalDay('3 April 2026', 'mdy')).toBe('2026-04-03')
  expect(parseLocalDay('26-Apr-26 10:11', 'mdy')).toBe('2026-04-26')
  for (const text of ['31.11.2026', '1.1', '', '17.11. 12:30', 'soon', '3 Foo 2026'])
    expect(parseLocalDay(text, 'dmy'), text).toBeNull()
})

test('what cannot be told is asked', () => {
  const { questions } = guessProfile(Buffer.from('Date;Amount;Name\n03.04.2026;1.500;A\n05.06.2026;2.000;B\n'))
  expect(questions).toEqual(['decimalSign', 'dateOrder', 'signs', 'currency'])
})

test('a file that tells everything leaves no question', () => {
  const text = 'Example Bank\n\nDatum;Betrag;Verwendungszweck;Währung\n25.11.2026;"+1.500,00";"a;b";EUR\n'
  const { profile, questions, headings, preview } = guessProfile(Buffer.from(text))
  expect(questions).toEqual([])
  expect(profile).toMatchObject({
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 2,
    columns: { bookedOn: 0, amount: 1, remittance: 2, currency: 3 },
    decimalSign: ',',
    dateOrder: 'dmy',
  })
  expect(headings).toEqual(['Datum', 'Betrag', 'Verwendungszweck', 'Währung'])
  expect(preview).toEqual([['25.11.2026', '+1.500,00', 'a;b', 'EUR']])
  expect(csvProfileSchema.safeParse(profile).success).toBe(true)
})

test('headings in unknown words ask for the columns', () => {
  const { profile, questions, headings, preview } = guessProfile(
    Buffer.from('Nap;Osszeg;Partner\n25.11.2026;5,00;A\n26.11.2026;6,00;B\n'),
  )
  expect(questions).toEqual(['bookedOn', 'amount', 'decimalSign', 'dateOrder', 'currency'])
  expect([profile.headerRow, headings, preview[0]]).toEqual([
    0,
    ['Nap', 'Osszeg', 'Partner'],
    ['25.11.2026', '5,00', 'A'],
  ])
  expect(csvProfileSchema.safeParse(profile).success).toBe(false)
})

test('a table without headings begins with its first row', () => {
  const { profile, preview } = guessProfile(Buffer.from('25.11.2026;5,00;A\n26.11.2026;6,00;B\n'))
  expect([profile.headerRow, preview.length]).toEqual([-1, 2])
})

test('a preview has five rows', () => {
  const { preview } = guessProfile(Buffer.from(`Datum;Betrag;Name\n${'25.11.2026;5,00;A\n'.repeat(9)}`))
  expect(preview).toHaveLength(5)
})

test('a text in sentences is not a table', () => {
  expect(() => guessProfile(Buffer.from('Dear members\nwelcome\nto this, our house\n'))).toThrow(
    'This is not a camt.052, camt.053, camt.054, MT940 or CSV file',
  )
})

test.each(['Payer reference', 'Sender message', 'Name of ultimate debtor', 'Name on card'])(
  'a column %s is not the payer',
  (heading) => {
    const { profile } = guessProfile(Buffer.from(`Date;Amount;${heading};Text\n17.11.2026;5,00;Ana Lima;ORD-1\n`))
    expect(profile.columns.name).toBeUndefined()
  },
)

test('a column with a state beside words that nobody has explained is asked about', () => {
  const { profile, questions } = guessProfile(
    Buffer.from('Date;Text;Amount;Clearing\n17.11.2026;A1;5,00;Booked\n18.11.2026;B2;-6,00;Waiting\n'),
  )
  expect([profile.columns.state, profile.states]).toEqual([3, undefined])
  expect(questions).toContain('states')
})

test('the amounts tell the decimal sign where the balances have another', () => {
  const { profile, questions } = guessProfile(Buffer.from('Date;Text;Amount;Balance\n17.11.2026;A;-5,00;2457.90\n'))
  expect(profile.decimalSign).toBe(',')
  expect(questions).not.toContain('decimalSign')
})

test('two columns with the chosen account are no question', () => {
  const rows = `Buchungstag;Betrag;Auftraggeberkonto;IBAN Auftraggeberkonto\n17.11.2026;-5,00;532013000;${specimenIban}\n`
  expect(guessProfile(Buffer.from(rows), specimenIban).questions).not.toContain('columns')
})
