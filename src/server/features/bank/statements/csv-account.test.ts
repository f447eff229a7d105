import { expect, test } from 'vitest'
import { specimenIban } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

const columns = { bookedOn: 0, amount: 1, name: 2, remittance: 3, currency: 4 }
const csvProfile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns,
  decimalSign: ',',
  dateOrder: 'dmy',
  headings: ['Datum', 'Betrag', 'Name', 'Zweck', 'Währung', 'Auftragskonto'],
}
const giro = await bank.addAccount({ csvProfile })
const savings = await bank.addAccount({ name: 'Savings', account: 'NL91ABNA0417164300', csvProfile })
const own = await bank.addAccount({ name: 'Own number', account: '00 4711-08', csvProfile })

let files = 0
/** A file of one row that no other file has. */
const fileOf = (above: string[], account = '', currency = 'EUR') =>
  [
    ...above,
    'Datum;Betrag;Name;Zweck;Währung;Auftragskonto',
    `25.11.2026;5,00;Ana Lima;file ${(files += 1)};${currency};${account}`,
    '',
  ].join('\n')

const chosen = 'DE89 3704 … 3000 (EUR)'
const foreign: [what: string, file: string, message: string][] = [
  [
    'an IBAN above the table that is another account of ours',
    fileOf(['Kontoauszug', 'IBAN;NL91 ABNA 0417 1643 00']),
    `This file is of NL91 ABNA … 4300, your account Savings, and not of ${chosen}`,
  ],
  [
    'an IBAN above the table that is nobody of ours',
    fileOf(['Konto: BE68 5390 0754 7034 / Girokonto']),
    `This file is of BE68 5390 … 7034, none of your accounts, and not of ${chosen}`,
  ],
  [
    'a number above the table behind a label',
    fileOf(['Kontonummer:;0099887766']),
    `This file is of 0099887766, none of your accounts, and not of ${chosen}`,
  ],
  [
    "a bank's own number above the table",
    fileOf(['Account number: 004711-08']),
    `This file is of 004711-08, your account Own number, and not of ${chosen}`,
  ],
  [
    'another account in its column',
    fileOf([], 'NL91ABNA0417164300'),
    `row 2: This file is of NL91 ABNA … 4300, your account Savings, and not of ${chosen}`,
  ],
]
test.each(foreign)(
  'a CSV file that names another account is refused with both: %s (product 9.9)',
  async (_what, file, message) => {
    const before = await server.sql('SELECT count(*) FROM bank_lines')
    const reply = await bank.send(file, { accountId: giro.id })
    expect([reply.statusCode, reply.json()]).toMatchObject([
      400,
      { code: 'invalid', message, details: [{ field: 'accountId', message }] },
    ])
    expect(await server.sql('SELECT count(*) FROM bank_lines')).toEqual(before)
  },
)

test('a CSV file that names the chosen account in any way is taken', async () => {
  const ways: [accountId: string, file: string][] = [
    [giro.id, fileOf([`IBAN: ${specimenIban}`])],
    [giro.id, fileOf(['Kontonummer:;0532013000 / Girokonto', 'Zeitraum;01.11.2026 - 30.11.2026'], specimenIban)],
    [giro.id, fileOf(['Konto;370400440532013000', 'Kontostand vom 30.11.2026:;105,00 EUR'], '0532013000')],
    [giro.id, fileOf(['Umbuchung von NL91ABNA0417164300', `Konto;${specimenIban}`])],
    [own.id, fileOf(['Konto: 00 4711 08'], '471108')],
    [savings.id, fileOf(['Konto;7'])],
  ]
  for (const [accountId, file] of ways)
    expect((await bank.importFile(file, { accountId })).import, file).toMatchObject({ linesNew: 1 })
})

test('the account is compared before the columns are asked for', async () => {
  const fresh = await bank.addAccount({ name: 'Fresh', account: 'BE68539007547034' })
  const reply = await bank.send(fileOf(['IBAN;NL91ABNA0417164300']), { accountId: fresh.id })
  expect(reply.json()).toMatchObject({ code: 'invalid', message: expect.stringContaining('your account Savings') })
  const asked = await bank.send(fileOf([], 'NL91ABNA0417164300'), { accountId: fresh.id })
  expect(asked.json()).toMatchObject({
    code: 'csv_profile_needed',
    details: { profile: { columns: { ownAccount: 5 } } },
  })
})

test('rows in another currency cannot be read, and a file of them is refused (product 9.9)', async () => {
  const mixed = `${fileOf([])}26.11.2026;6,00;Rui;other;USD;\n`
  const { import: taken, unreadable } = await bank.importFile(mixed, { accountId: giro.id })
  expect(taken).toMatchObject({ linesNew: 1, unreadableCount: 1 })
  expect(unreadable).toEqual(['row 3: the currency is USD, that of the account is EUR'])
  const refused = await bank.send(fileOf([], '', 'CHF'), { accountId: giro.id })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    { code: 'invalid', message: 'row 2: the currency is CHF, that of the account is EUR' },
  ])
})
