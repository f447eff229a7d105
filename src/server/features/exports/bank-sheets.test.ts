import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const csvProfile = {
  encoding: 'utf-8',
  delimiter: ';',
  headerRow: 0,
  columns: { bookedOn: 0, amount: 1, name: 2, bankReference: 3 },
  decimalSign: '.',
  dateOrder: 'ymd',
}
const account = await bank.addAccount({ account: '4711', csvProfile })
const rows = [
  '2026-11-02;50.00;Ana Lima;R1',
  '2026-11-03;60.00;Rui Costa;R2',
  '2026-11-04;70.00;Eva Sol;R3',
  '2026-11-05;x;;R4',
]
await bank.importFile(`Day;Amount;Name;Ref\n${rows.join('\n')}\n`, { accountId: account.id, fileName: 'november.csv' })
const lineOf = async (amount: string) => (await bank.lines()).find((line) => line.amount === amount)!

type Row = Record<string, string>
async function take(list: string, query: Record<string, string> = {}): Promise<Row[]> {
  const reply = await bank.call('GET', `/api/exports/${list}?${new URLSearchParams(query)}`)
  expect(reply.statusCode, reply.body).toBe(200)
  return parse(reply.body, { columns: true, bom: true })
}

const apply = async (amount: string, allocations: object[]) => {
  const { id, version } = await lineOf(amount)
  const reply = await bank.call(
    'POST',
    `/api/bank/lines/${id}/allocations`,
    { allocations },
    { 'if-match': `"${version}"` },
  )
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ allocations: { id: string }[] }>()
}

test('the export of purposes has each part of each line, with those undone (product 4.6)', async () => {
  await apply('50.00', [
    { purpose: 'refund', amount: '20.00', cause: 'overpaid' },
    { purpose: 'ignored', amount: '30.00', code: 'other_business' },
  ])
  await apply('60.00', [{ purpose: 'ignored', amount: '60.00', code: 'fee' }])
  const [{ id }] = (await server.sql<{ id: string }>(`SELECT id::text FROM bank_allocations WHERE amount = 60`)) as [
    { id: string },
  ]
  expect((await bank.call('POST', `/api/bank/allocations/${id}/undo`, { reason: 'A mistake' })).statusCode).toBe(200)
  const found = await take('bank-allocations', { accountId: account.id })
  expect(
    found.map((row) => [row['Bank Reference'], row['Amount'], row['Purpose'], row['Part Amount'], row['Undone']]),
  ).toEqual([
    ['R1', '50.00', 'Refund', '20.00', 'No'],
    ['R1', '50.00', 'Put aside', '30.00', 'No'],
    ['R2', '60.00', 'Put aside', '60.00', 'Yes'],
    ['R3', '70.00', '', '', ''],
  ])
  expect(found[0]).toMatchObject({ Account: 'Giro', Booked: '2026-11-02', Code: 'Overpaid', 'Applied By': 'ada' })
  expect(found[2]).toMatchObject({ Code: 'Bank fee', 'Undone By': 'ada' })
})

test('the export of purposes is of a period, and has no payers unless asked for (product 6.11)', async () => {
  const period = { from: '2026-11-03', to: '2026-11-04' }
  const plain = await take('bank-allocations', period)
  expect(plain.map((row) => row['Bank Reference'])).toEqual(['R2', 'R3'])
  expect(JSON.stringify(plain)).not.toMatch(/Rui Costa|A mistake/)
  const shown = await take('bank-allocations', { ...period, payers: 'shown' })
  expect(shown.map((row) => [row['Payer'], row['Undo Reason']])).toEqual([
    ['Rui Costa', 'A mistake'],
    ['Eva Sol', ''],
  ])
  expect((await bank.lines(period)).map(({ amount }) => amount)).toEqual(['70.00', '60.00'])
})

test('statements and imports are exported (product 4.6)', async () => {
  expect(await take('bank-statements', { accountId: account.id })).toMatchObject([
    { Account: 'Giro', 'Money In': '180.00', Difference: '', File: 'november.csv' },
  ])
  expect(await take('bank-imports')).toMatchObject([{ File: 'november.csv', 'New Lines': '3', 'Not Read': '1' }])
})
