import { expect, test } from 'vitest'
import { collectStatements, specimenIban } from '#test/support/bank-files.ts'
import { readGuessed } from '#test/support/csv-table.ts'
import { readCsv } from './csv.ts'
import { guessProfile } from './csv-profile.ts'

const moved = ['2026-11-17 +1500.00', '2026-11-18 -42.10']

const signColumns: [heading: string, out: string, into: string][] = [
  ['D/C', 'Debet', 'Credit'],
  ['Debit/Credit', 'DBIT', 'CRDT'],
  ['Credit Debit Indicator', 'DBIT', 'CRDT'],
  ['Soll/Haben', 'Belastung', 'Gutschrift'],
  ['Sens', 'Débit', 'Crédit'],
  ['Debit/Credit', 'OUT', 'IN'],
  ['Debit/Credit', 'Money Out', 'Money In'],
  ['Type', 'Withdrawal', 'Deposit'],
  ['Transaction Type', 'debit', 'credit'],
  ['Richting', 'Af', 'Bij'],
  ['D/C', 'Cargo', 'Abono'],
  ['D/C', 'Obciążenie', 'Uznanie'],
  ['Tipo', 'Addebito', 'Accredito'],
  ['', 'S', 'H'],
  ['Dr/Cr', 'DR.', 'CR.'],
  ['+/-', '\u2212', '+'],
]

test.each(signColumns)('a column %s says money out by %s and money in by %s', async (heading, out, into) => {
  const { lines, questions } = await readGuessed([
    `Date;Description;Amount;${heading}`,
    `17.11.2026;Ana Lima ORD-1;1.500,00;${into}`,
    `18.11.2026;Hosting 7;42,10;${out}`,
  ])
  expect([lines, questions]).toEqual([moved, []])
})

test('a column of signs with an unknown word is a question, and nothing is read by it', async () => {
  const rows = ['Date;Text;Amount;D/C', '17.11.2026;A;5,00;Plus', '18.11.2026;B;6,00;Minus']
  const { profile, questions, values } = guessProfile(Buffer.from(rows.join('\n')))
  expect([questions, profile.columns.sign, profile.signs, values[3]?.words]).toEqual([
    ['signs', 'currency'],
    3,
    undefined,
    ['Minus', 'Plus'],
  ])
  const { lines, said } = await readGuessed(rows)
  expect([lines, said]).toEqual([
    [],
    ['row 2: "Plus" says neither money in nor money out', 'row 3: "Minus" says neither money in nor money out'],
  ])
})

test('a single letter alone says nothing: C is credit to one bank, cargo to another', () => {
  const { questions } = guessProfile(Buffer.from('Date;Text;Amount;D/C\n17.11.2026;A;5,00;C\n'))
  expect(questions).toContain('signs')
})

test('an unknown word in a later file refuses its row alone', async () => {
  const rows = ['Date;Text;Amount;D/C', '17.11.2026;A;5,00;Credit', '18.11.2026;B;6,00;Debet']
  const { profile } = guessProfile(Buffer.from(rows.join('\n')))
  const later = Buffer.from(
    [...rows, '19.11.2026;C;7,00;Storno', '20.11.2026;D;8,00;', '21.11.2026;E;9,00;Debit'].join('\n'),
  )
  const found = collectStatements()
  await readCsv(later, { account: specimenIban, accountName: null, currency: 'EUR', profile }, found.sink)
  expect(found.lines().map(({ direction }) => direction)).toEqual(['credit', 'debit'])
  expect(found.unreadable).toEqual([
    'row 4: "Storno" says neither money in nor money out',
    'row 5: "" says neither money in nor money out',
    'row 6: "Debit" says neither money in nor money out',
  ])
})

test('amounts that all lack a sign are a question, also in a file of one row', () => {
  const questionsOf = (amounts: string[]) =>
    guessProfile(Buffer.from(['Date;Text;Amount', ...amounts.map((amount) => `17.11.2026;A;${amount}`)].join('\n')))
      .questions
  expect(questionsOf(['5,00', '6,00'])).toContain('signs')
  for (const amounts of [['5,00', '-6,00'], ['+5,00'], ['(5,00)'], ['5,00 CR'], ['5,00', '6,00\u2013']])
    expect(questionsOf(amounts), amounts.join()).not.toContain('signs')
})

test('a word of signs beside a minus is left alone where both say the same', async () => {
  const { lines } = await readGuessed(['Date;Text;Amount;D/C', '17.11.2026;A;1500,00;C', '18.11.2026;B;-42,10;D'])
  expect(lines).toEqual(moved)
})
