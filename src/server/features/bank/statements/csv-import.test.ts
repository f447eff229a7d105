import { expect, test } from 'vitest'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const account = await bank.addAccount()

const file = [
  'Buchungstag;Betrag;Verwendungszweck;Auftraggeber;Währung',
  '03.11.2026;1.500,00;ORD-1;Ana Lima;EUR',
  '31.11.2026;1,00;wrong day;Rui;EUR',
  '04.11.2026;-20,50;Fee;;EUR',
].join('\n')

test('a CSV file without its account is refused', async () => {
  const reply = await bank.send(file)
  expect(reply.json()).toMatchObject({
    code: 'invalid',
    message: 'accountId: choose the account of this CSV file first',
    details: [{ field: 'accountId' }],
  })
  expect((await bank.send(file, { accountId: '999999' })).json().message).toBe('accountId: is not one of your accounts')
})

test('a CSV file is imported once a person has confirmed its columns', async () => {
  const refused = await bank.send(file, { accountId: account.id })
  expect([refused.statusCode, refused.json()]).toMatchObject([
    400,
    {
      code: 'csv_profile_needed',
      message: 'How this bank writes CSV is not known yet: confirm the columns first',
      details: {
        profile: {
          delimiter: ';',
          headerRow: 0,
          decimalSign: ',',
          dateOrder: 'dmy',
          columns: { bookedOn: 0, amount: 1 },
        },
        questions: [],
        headings: ['Buchungstag', 'Betrag', 'Verwendungszweck', 'Auftraggeber', 'Währung'],
        preview: [['03.11.2026', '1.500,00', 'ORD-1', 'Ana Lima', 'EUR'], expect.anything(), expect.anything()],
      },
    },
  ])
  const { profile } = refused.json().details
  await bank.call('PATCH', `/api/bank/accounts/${account.id}`, { csvProfile: profile })
  const { import: taken, unreadable, statements } = await bank.importFile(file, { accountId: account.id })
  expect(taken).toMatchObject({ format: 'CSV', linesNew: 2, unreadableCount: 1 })
  expect(unreadable).toEqual(['row 3: "31.11.2026" is not a date'])
  expect(statements).toMatchObject([{ accountId: account.id, opening: null, difference: null, credits: '1500.00' }])
  expect((await bank.lines()).map(({ amount, direction, payer }) => [amount, direction, payer.name])).toEqual([
    ['20.50', 'debit', null],
    ['1500.00', 'credit', 'Ana Lima'],
  ])
})

test('what a file cannot tell is a question, never a guess', async () => {
  const other = await bank.addAccount({ account: 'NL91ABNA0417164300' })
  const unclear = 'Date;Amount;Text\n03/04/2026;1.500;x\n05/06/2026;2.500;y\n'
  const reply = await bank.send(unclear, { accountId: other.id })
  expect(reply.json().details.questions).toEqual(['decimalSign', 'dateOrder', 'signs', 'currency'])
})

test('what columns would make of a file is told before anything is stored', async () => {
  const other = await bank.addAccount({ name: 'Savings', account: 'BE68539007547034' })
  const text = 'Tag;Betrag;Art\n23.11.2026;1.500,00;Plus\n24.11.2026;20,50;Minus\n'
  const asked = (await bank.send(text, { accountId: other.id })).json().details
  expect([asked.questions, asked.values[2]]).toEqual([
    ['signs', 'columns', 'currency'],
    { words: ['Minus', 'Plus'], hasSign: false },
  ])
  const form = {
    ...asked.profile,
    columns: { ...asked.profile.columns, sign: 2 },
    signs: { out: ['Minus'], in: ['Plus'] },
  }
  const trial = { accountId: other.id, dryRun: 'true', csvProfile: JSON.stringify(form) }
  const { statements } = (await bank.send(text, trial)).json()
  expect(statements).toMatchObject([{ id: null, credits: '1500.00', debits: '20.50', linesNew: 2 }])
  const layout = JSON.stringify({ encoding: 'utf-8', delimiter: ',', headerRow: 0 })
  const again = (await bank.send(text, { ...trial, csvProfile: layout })).json()
  expect([again.code, again.details.headings]).toEqual(['csv_profile_needed', ['Tag;Betrag;Art']])
  for (const [query, message] of [
    [{ ...trial, dryRun: 'false' }, 'csvProfile: is only for a dry run'],
    [{ ...trial, csvProfile: '{}' }, 'csvProfile: must be the columns of a CSV file as JSON'],
  ] as const)
    expect((await bank.send(text, query)).json()).toMatchObject({ code: 'invalid', message })
  expect(await bank.lines({ accountId: other.id })).toEqual([])
})

test('a CSV file with other columns than the confirmed ones is refused', async () => {
  const moved = file.replace('Buchungstag;Betrag', 'Betrag;Buchungstag')
  const reply = await bank.send(moved, { accountId: account.id })
  expect(reply.json().code).toBe('csv_profile_needed')
})
