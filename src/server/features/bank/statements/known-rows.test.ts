import { expect, test } from 'vitest'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

const csvProfile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns: { bookedOn: 0, amount: 1, remittance: 2, name: 3 },
  decimalSign: ',',
  dateOrder: 'dmy',
}
let accounts = 0
const addAccount = () =>
  bank.addAccount({ name: `Account ${(accounts += 1)}`, account: `00${accounts}4711`, csvProfile })

const head = 'Tag;Betrag;Text;Name'
const rent = '03.11.2026;50,00;monthly;Ana Lima'
const fee = '04.11.2026;-1,00;fee;'
/** A file of its own for each account: the same bytes are imported once. */
const csv = (...rows: string[]) => [head, ...rows].join('\n') + '\n'.repeat(accounts)

/** An account with the first file, and a later file whose lines are known but for one. */
async function importBoth() {
  const { id } = await addAccount()
  await bank.importFile(csv(rent, fee), { accountId: id })
  const later = csv(rent, fee, '05.11.2026;7,00;new;Rui')
  return { id, later, reply: await bank.importFile(later, { accountId: id }) }
}
const counts = async (id: string) => (await bank.lines({ accountId: id })).map(({ amount }) => amount).toSorted()

test('an import of CSV names the lines that count as known (product 6.11)', async () => {
  const { reply } = await importBoth()
  expect(reply.import).toMatchObject({ linesNew: 1, linesKnown: 2 })
  expect(reply.knownLines).toEqual([
    { row: 2, bookedOn: '2026-11-03', direction: 'credit', amount: '50.00', payer: 'Ana Lima', text: 'monthly' },
    { row: 3, bookedOn: '2026-11-04', direction: 'debit', amount: '1.00', payer: null, text: 'fee' },
  ])
})

test('a known row is taken once, as a payment of its own (product 6.11)', async () => {
  const { id, later } = await importBoth()
  for (const turn of [1, 2]) {
    const reply = await bank.importFile(later, { accountId: id, takeRows: '2' })
    expect(reply.import, `turn ${turn}`).toMatchObject({ linesNew: 2, linesKnown: 1 })
    expect(reply.statements).toMatchObject([{ linesNew: 2, linesKnown: 1, credits: '57.00' }])
    expect(await counts(id)).toEqual(['1.00', '50.00', '50.00', '7.00'])
  }
  const [own, links] = await Promise.all([
    bank.lines({ accountId: id, search: 'monthly' }),
    server.sql(
      `SELECT s.statement_id FROM bank_statement_lines s JOIN bank_lines l ON l.id = s.line_id
       WHERE l.account_id = $1 AND l.amount = 50 ORDER BY 1`,
      [id],
    ),
  ])
  expect(new Set(own.map(({ statementId }) => statementId)).size).toBe(2)
  expect(links).toHaveLength(2)
  const [row] = await server.sql(
    `SELECT details FROM audit_log WHERE action = 'import_statement' ORDER BY id DESC LIMIT 1`,
  )
  expect(row).toMatchObject({ details: { takenRows: [2], outcome: 'imported' } })
})

test('rows may be taken with the first import of their file (product 6.11)', async () => {
  const { id } = await addAccount()
  await bank.importFile(csv(rent, fee), { accountId: id })
  const reply = await bank.importFile(csv(fee, rent), { accountId: id, takeRows: '2,3' })
  expect(reply.import).toMatchObject({ linesNew: 2, linesKnown: 0 })
  expect(reply.knownLines).toEqual([])
  expect(await counts(id)).toEqual(['1.00', '1.00', '50.00', '50.00'])
})

test('a dry run says what taking rows would store (product 6.11)', async () => {
  const { id, later } = await importBoth()
  const reply = await bank.importFile(later, { accountId: id, takeRows: '2,3', dryRun: 'true' })
  expect(reply.import).toMatchObject({ id: null, linesNew: 3, linesKnown: 0 })
  expect(await counts(id)).toHaveLength(3)
})

test('only rows of the file itself and of its account can be taken (product 6.11)', async () => {
  const other = await addAccount()
  const { id, later } = await importBoth()
  const refused: [Record<string, string>, string][] = [
    [{ accountId: id, takeRows: '99' }, 'takeRows: row 99 is not a line of this file'],
    [{ accountId: id, takeRows: '2;3' }, 'takeRows: must be numbers of rows such as 4,9'],
    [{ accountId: other.id, takeRows: '2' }, 'accountId: is not the account of this file'],
    [{ takeRows: '2' }, 'takeRows: only a CSV file has rows that can be taken'],
  ]
  for (const [query, message] of refused) {
    const reply = await bank.send(later, query)
    expect([reply.statusCode, reply.json()]).toMatchObject([400, { code: 'invalid', message }])
  }
  expect(await counts(id)).toHaveLength(3)
})
