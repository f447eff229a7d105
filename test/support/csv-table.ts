import { csvColumns } from '#contract/csv-profile.ts'
import { readCsv } from '#server/features/bank/statements/readers/csv.ts'
import { guessProfile } from '#server/features/bank/statements/readers/csv-profile.ts'
import { collectStatements, specimenIban } from './bank-files.ts'

/** Two rows in which each column of a table has what its heading promises. */
const samples: Record<string, [string, string]> = {
  day: ['25.11.2026', '26.11.2026'],
  money: ['5,00', '-6,50'],
  total: ['105,00', '98,50'],
  own: [specimenIban, specimenIban],
  iban: ['NL91ABNA0417164300', 'BE68539007547034'],
  name: ['Ana Lima', 'Rui Costa'],
  text: ['Investment ORD-1024', 'ORD-1025'],
  kind: ['GUTSCHRIFT', 'DAUERAUFTRAG'],
  currency: ['EUR', 'EUR'],
  ref: ['2026112500001', '2026112600002'],
  none: ['', ''],
  ref1: ['0532013000', '0532013000'],
}

/** What is guessed of a file with these headings: `Datum=day;Betrag=money` names for each the sample of its cells. */
export function guessTable(layout: string, account: string | null = specimenIban) {
  const columns = layout.split(';').map((each) => each.split('=') as [heading: string, sample: string])
  const rows = [
    columns.map(([heading]) => heading),
    ...[0, 1].map((at) => columns.map(([, name]) => samples[name]![at]!)),
  ]
  const file = rows.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\n')
  const { profile, unsure } = guessProfile(Buffer.from(`${file}\n`), account)
  const headings = columns.map(([heading]) => heading)
  const named = csvColumns.flatMap((name) => {
    const at = profile.columns[name]
    return at === undefined ? [] : [[name, headings[at]]]
  })
  return {
    columns: Object.fromEntries(named) as Record<string, string>,
    unsure: unsure.map(({ column, meanings }) => [headings[column], meanings.join(' or ')]),
  }
}

/** What is read of a file by its guess: each line, the balances, and what is said of the rest. */
export async function readGuessed(rows: string[]) {
  const bytes = Buffer.from(`${rows.join('\n')}\n`)
  const { profile, questions } = guessProfile(bytes, specimenIban)
  const found = collectStatements()
  await readCsv(bytes, { account: specimenIban, accountName: null, currency: 'EUR', profile }, found.sink)
  const [statement] = found.statements
  return {
    questions: questions.filter((question) => question !== 'currency'),
    lines: found
      .lines()
      .map(({ bookedOn, direction, amount }) => `${bookedOn} ${direction === 'debit' ? '-' : '+'}${amount}`),
    names: found.lines().map(({ counterparty: { name, iban } }) => [name, iban].filter(Boolean).join(' ')),
    balances: [statement?.opening?.amount, statement?.closing?.amount].filter(Boolean).join(' '),
    said: [...(statement?.warnings ?? []), ...found.unreadable],
  }
}
