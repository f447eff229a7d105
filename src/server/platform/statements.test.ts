import { expect, test } from 'vitest'
import { statementFileLimits } from '#contract/bank.ts'
import { createKey } from '#server/features/keys/keys.ts'
import { camtBalance, camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { listCallRecords, platformBase } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const account = await bank.addAccount()
const { key } = await createKey(server.system, { name: 'bank-files' })

const send = (file: string | Buffer, query: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  server.app.inject({
    method: 'POST',
    url: `${platformBase}/bank-statements?${new URLSearchParams({ fileName: 'daily.xml', ...query })}`,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/xml', ...headers },
    payload: Buffer.from(file),
  })
let made = 0
/** A statement of one credit, another one each time. */
function makeFile(): string {
  const amount = `${++made}.25`
  return camtFile(camtBalance('OPBD', '0.00') + camtEntry(amount, 'CRDT') + camtBalance('CLBD', amount))
}
const countImports = async () =>
  (await server.sql<{ count: number }>('SELECT count(*)::int AS count FROM bank_imports'))[0]!.count
const importAudits = () =>
  server.sql(`SELECT actor_name, details->>'outcome' AS outcome FROM audit_log
    WHERE action = 'import_statement' ORDER BY id DESC LIMIT 2`)

test('the platform brings a statement file as an operator does (product 10.6)', async () => {
  const reply = await send(makeFile())
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    {
      import: { fileName: 'daily.xml', format: 'camt', importedBy: 'platform:bank-files', linesNew: 1 },
      statements: [{ account: account.account, credits: '1.25', difference: '0.00' }],
      warnings: [],
      unreadable: [],
      knownLines: [],
    },
  ])
  expect((await bank.lines())[0]).toMatchObject({ amount: '1.25', state: 'open' })
  expect((await importAudits())[0]).toEqual({ actor_name: 'platform:bank-files', outcome: 'imported' })
  const call = { call: 'POST /bank-statements', outcome: 'created' }
  expect(await listCallRecords(server, reply)).toMatchObject([{ actor_name: 'platform:bank-files', details: call }])
})

test('the same file again is refused, and under its Idempotency-Key answered as before (product 10.6)', async () => {
  const file = makeFile()
  const first = await send(file, {}, { 'idempotency-key': 'day-1' })
  const before = await countImports()
  const again = await send(file, {}, { 'idempotency-key': 'day-1' })
  expect([again.statusCode, again.body]).toEqual([200, first.body])
  expect([first, again].map(({ headers }) => headers['idempotent-replayed'])).toEqual([undefined, 'true'])
  expect(await listCallRecords(server, again)).toMatchObject([{ details: { outcome: 'repeated' } }])
  const refused = await send(file)
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    { code: 'file_imported', details: { by: 'platform:bank-files', importId: first.json().import.id } },
  ])
  expect(await importAudits()).toMatchObject([{ outcome: 'refused' }, { outcome: 'imported' }])
  const reused = await send(makeFile(), {}, { 'idempotency-key': 'day-1' })
  expect([reused.statusCode, reused.json().code]).toEqual([409, 'idempotency_key_reused'])
  expect(await countImports()).toBe(before)
})

test('eight simultaneous calls with one Idempotency-Key import a file once (product 10.6)', async () => {
  const file = makeFile()
  const before = await countImports()
  const replies = await Promise.all(Array.from({ length: 8 }, () => send(file, {}, { 'idempotency-key': 'at-once' })))
  expect(new Set(replies.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect([replies[0]!.statusCode, await countImports()]).toEqual([200, before + 1])
})

test('a dry run of the platform stores nothing, and takes no Idempotency-Key (product 10.6)', async () => {
  const file = makeFile()
  const before = await countImports()
  const tried = await send(file, { dryRun: 'true' })
  expect([tried.statusCode, tried.json().import]).toMatchObject([200, { id: null, linesNew: 1 }])
  expect(await listCallRecords(server, tried)).toMatchObject([
    { details: { call: 'POST /bank-statements', outcome: 'read' } },
  ])
  const keyed = await send(file, { dryRun: 'true' }, { 'idempotency-key': 'dry' })
  expect([keyed.statusCode, keyed.json().details]).toMatchObject([400, [{ field: 'Idempotency-Key' }]])
  expect(await countImports()).toBe(before)
  expect((await send(file)).json().import.linesNew).toBe(1)
})

test('a damaged file of the platform stores nothing', async () => {
  const before = await countImports()
  const reply = await send(makeFile().replace('</Document>', ''))
  expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining('the file is damaged')])
  expect(await countImports()).toBe(before)
  expect((await importAudits())[0]).toEqual({ actor_name: 'platform:bank-files', outcome: 'refused' })
})

test('a CSV file of the platform needs columns that a person has confirmed (product 10.6)', async () => {
  const file = 'Date;Amount;Text\n2026-11-03;1500.00;ORD-1\n'
  const asCsv = () => send(file, { accountId: account.id }, { 'content-type': 'text/csv' })
  const refused = await asCsv()
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'csv_profile_needed'])
  const { profile } = refused.json().details
  await bank.call('PATCH', `/api/bank/accounts/${account.id}`, {
    csvProfile: { ...profile, decimalSign: '.', dateOrder: 'ymd' },
  })
  const taken = await asCsv()
  expect([taken.statusCode, taken.body]).toEqual([200, expect.stringContaining('"credits":"1500.00"')])
})

test('the platform takes known rows of a CSV file by its own call (product 10.6)', async () => {
  const csvProfile = {
    encoding: 'utf-8',
    delimiter: ';',
    headerRow: 0,
    columns: { bookedOn: 0, amount: 1, remittance: 2 },
    decimalSign: '.',
    dateOrder: 'ymd',
  }
  const { id: accountId } = await bank.addAccount({ name: 'Rows', account: '0094711', csvProfile })
  const head = 'Date;Amount;Text\n2026-11-03;50.00;monthly\n'
  const later = `${head}2026-11-04;7.00;new\n`
  const sendRows = (key: string, query: Record<string, string> = {}, file = later) =>
    send(file, { accountId, ...query }, { 'content-type': 'text/csv', 'idempotency-key': key })
  expect((await sendRows('rows-1', {}, head)).statusCode).toBe(200)
  expect((await sendRows('rows-2')).json()).toMatchObject({
    import: { linesNew: 1, linesKnown: 1 },
    knownLines: [{ row: 2, amount: '50.00' }],
  })
  const reused = await sendRows('rows-2', { takeRows: '2' })
  expect([reused.statusCode, reused.json().code]).toEqual([409, 'idempotency_key_reused'])
  for (const key of ['rows-3', 'rows-3', 'rows-4']) {
    const taken = await sendRows(key, { takeRows: '2' })
    expect([taken.statusCode, taken.json().import]).toMatchObject([200, { linesNew: 2, linesKnown: 0 }])
  }
  const lines = await bank.lines({ accountId })
  expect(lines.map(({ amount }) => amount)).toEqual(['7.00', '50.00', '50.00'])
  const refused = await sendRows('rows-5', { takeRows: '9' })
  expect([refused.statusCode, refused.json().details]).toMatchObject([400, [{ field: 'takeRows' }]])
})

test.each([
  ['without a key', { authorization: '' }, 401],
  ['with a wrong key', { authorization: 'Bearer bok_wrong' }, 401],
  ['as JSON', { 'content-type': 'application/json' }, 415],
  ['compressed', { 'content-encoding': 'gzip' }, 415],
  ['with an Idempotency-Key that is not one', { 'idempotency-key': 'two words' }, 400],
  ['with If-Match', { 'if-match': '"1"' }, 400],
])('a statement file %s is refused', async (_how, headers, status) => {
  const before = await countImports()
  expect((await send(makeFile(), {}, headers)).statusCode).toBe(status)
  expect(await countImports()).toBe(before)
})

test('a statement file above 50 MB is refused (product 10.6)', async () => {
  const reply = await send(Buffer.alloc(statementFileLimits.bytes + 1, ' '))
  expect([reply.statusCode, reply.json().code]).toEqual([413, 'too_large'])
})

test.each([
  [{ fileName: '' }, 'fileName'],
  [{ dryRun: '' }, 'dryRun'],
  [{ dryRun: 'yes' }, 'dryRun'],
  [{ account: 'x' }, 'account'],
])('the parameters %o are refused by name', async (query, field) => {
  const reply = await send(makeFile(), query)
  expect([reply.statusCode, reply.json().details[0].field]).toEqual([400, field])
})

test('no session brings a statement file by the platform API', async () => {
  const reply = await server.as('ada')('POST', `${platformBase}/bank-statements?fileName=x`, Buffer.from(makeFile()), {
    'content-type': 'application/xml',
  })
  expect(reply.statusCode).toBe(401)
})
