import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { bankRoutes, statementFileLimits } from '#contract/bank.ts'
import { camtBalance, camtEntry, camtFile, mt940File } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)
const account = await bank.addAccount()

const detail = (name: string, text: string) =>
  `<NtryDtls><TxDtls><RltdPties><Dbtr><Pty><Nm>${name}</Nm></Pty></Dbtr></RltdPties>` +
  `<RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`
const credit = (amount: string, text: string, name = 'Ana Lima') => camtEntry(amount, 'CRDT', detail(name, text))

/** What the database holds of the bank. */
async function stored() {
  const [row] = await server.sql(`SELECT (SELECT count(*)::int FROM bank_imports) AS imports,
    (SELECT count(*)::int FROM bank_statements) AS statements, (SELECT count(*)::int FROM bank_lines) AS lines`)
  return row
}

/** The last audit row of an import. */
async function lastAudit() {
  const [row] = await server.sql<{ actor_name: string; details: Record<string, unknown> }>(
    `SELECT actor_name, target_type, details FROM audit_log WHERE action = 'import_statement' ORDER BY id DESC LIMIT 1`,
  )
  return row
}

test('a file is imported with its lines, balances and difference', async () => {
  const balances = camtBalance('OPBD', '100.00') + camtBalance('CLBD', '145.00')
  const file = camtFile(balances + credit('40.00', 'ORD-1') + camtEntry('5.00', 'DBIT'))
  const { import: taken, statements } = await bank.importFile(file)
  expect(taken).toMatchObject({ format: 'camt', linesNew: 2, linesKnown: 0, unreadableCount: 0, importedBy: 'ada' })
  expect(statements).toMatchObject([
    { account: account.account, opening: '100.00', credits: '40.00', debits: '5.00', closing: '145.00' },
  ])
  expect(statements[0]?.difference).toBe('-10.00')
  expect(await bank.lines()).toMatchObject([
    { direction: 'debit', amount: '5.00', state: 'open', place: expect.stringMatching(/^line 1/) },
    { direction: 'credit', amount: '40.00', payer: { name: 'Ana Lima', account: null }, remittance: ['ORD-1'] },
  ])
  const [present] = await bank.accounts()
  expect(present).toMatchObject({
    lines: 2,
    open: { count: 2, credits: '40.00', debits: '5.00' },
    latest: { kind: 'camt.053', closing: '145.00', closingOn: '2026-11-03', difference: '-10.00' },
  })
  const details = { fileName: 'statement.xml', linesNew: 2, outcome: 'imported' }
  expect(await lastAudit()).toMatchObject({ actor_name: 'ada', target_type: 'bank_import', details })
})

test('the same file again is refused with who imported it, when, and its lines', async () => {
  const file = camtFile(credit('41.00', 'once'))
  await bank.importFile(file)
  const before = await stored()
  const again = await createBankCaller(server, 'rui').send(file)
  expect([again.statusCode, again.json().code]).toEqual([409, 'file_imported'])
  expect(again.json().message).toMatch(/^This file was imported by ada on \w{3} \d\d, \d{4} at \d\d:\d\d UTC: 1 line$/)
  expect(await stored()).toEqual(before)
  expect(await lastAudit()).toMatchObject({ actor_name: 'rui', details: { outcome: 'refused', code: 'file_imported' } })
})

const refusals: [name: string, file: string, message: string][] = [
  ['nothing known', 'hello', 'This is not a camt.052, camt.053, camt.054, MT940 or CSV file'],
  ['nothing at all', '', 'This file is empty'],
  [
    'broken XML',
    camtFile(credit('1.00', 'x')).replace('</Ntry>', ''),
    'line 1: the file is damaged: unexpected close tag.',
  ],
  [
    'a document type',
    camtFile('').replace('<Document', '<!DOCTYPE x>\n<Document'),
    'line 1: a document type definition is not taken',
  ],
  [
    'a SWIFT message of no account',
    ':20:X\r\n:28C:1/1\r\n:60F:C261101EUR100,00\r\n',
    'This SWIFT message is about no account: it has no :25: field',
  ],
  [
    'an unknown account',
    camtFile(credit('1.00', 'x'), { iban: 'NL91ABNA0417164300' }),
    'NL91 ABNA … 4300 (EUR) is not one of your accounts: add it first',
  ],
  [
    'an account of another currency',
    mt940File(':61:261103C5,00NTRF', ':62F:C261103EUR105,00').replaceAll('EUR', 'CHF'),
    'DE89 3704 … 3000 (CHF) is not one of your accounts: add it first',
  ],
]
test.each(refusals)('a file of %s is refused, and nothing of it is stored', async (_name, file, message) => {
  const before = await stored()
  const reply = await bank.send(file)
  expect(reply.json()).toMatchObject({ code: 'invalid', message })
  expect(await stored()).toEqual(before)
  const sha256 = createHash('sha256').update(file).digest('hex')
  expect(await server.services.documents.read({ kind: 'statement', sha256 })).toBeNull()
  expect(await lastAudit()).toMatchObject({ details: { sha256, outcome: 'refused', reason: message } })
})

test('the refusal of an unknown account names it, so that it can be added (product 6.11)', async () => {
  const reply = await bank.send(camtFile(credit('1.00', 'x'), { iban: 'NL91ABNA0417164300' }))
  expect(reply.json().details).toEqual({ unknownAccount: { account: 'NL91ABNA0417164300', currency: 'EUR' } })
})

test('a number of several accounts is refused where the file names no currency (product 9.9)', async () => {
  const account = 'PT50000201231234567890154'
  for (const currency of ['EUR', 'CHF']) await bank.addAccount({ name: `Porto ${currency}`, account, currency })
  const reply = await bank.send(camtFile('', { iban: account }).replace('<Ccy>EUR</Ccy>', ''))
  const message = 'PT50 0002 … 0154 is several of your accounts: the file names no currency'
  expect(reply.json()).toMatchObject({ code: 'invalid', message })
  expect(reply.json().details).toBeUndefined()
})

test('damage at the end of a large file stores nothing of its beginning', async () => {
  const before = await stored()
  const many = Array.from({ length: 1500 }, (_, at) => credit('1.00', `cut ${at}`)).join('\n')
  const reply = await bank.send(camtFile(many).replace('</Document>', ''))
  expect(reply.json().message).toMatch(/^line 1500: the file is damaged: unclosed tag/)
  expect(await stored()).toEqual(before)
})

test('an entry that cannot be read is named, and the others are stored', async () => {
  const { import: taken, unreadable } = await bank.importFile(
    camtFile(`\n${camtEntry('1,00', 'CRDT')}\n${credit('3.33', 'good')}`),
  )
  expect(taken).toMatchObject({ linesNew: 1, unreadableCount: 1 })
  expect(unreadable).toEqual(['line 2: "1,00" is not an amount'])
})

test('an entry of another currency is named, and in no sum (product 6.11)', async () => {
  const foreign = camtEntry('100.00', 'CRDT').replace('Ccy="EUR"', 'Ccy="CHF"')
  const balances = camtBalance('OPBD', '0.00') + camtBalance('CLBD', '50.00')
  const { statements, unreadable } = await bank.importFile(camtFile(balances + foreign + credit('50.00', 'own')))
  expect(statements).toMatchObject([{ credits: '50.00', difference: '0.00', linesNew: 1 }])
  expect(unreadable).toEqual(['line 1: the currency is CHF, that of the account is EUR'])
})

test('a dry run answers the same and stores nothing', async () => {
  const file = camtFile(camtBalance('OPBD', '0.00') + camtBalance('CLBD', '7.00') + credit('7.00', 'dry'))
  const before = await stored()
  const tried = await bank.importFile(file, { dryRun: 'true' })
  expect(await stored()).toEqual(before)
  expect([tried.import.id, tried.statements[0]?.id]).toEqual([null, null])
  const done = await bank.importFile(file)
  expect(done.statements.map((each) => ({ ...each, id: null }))).toEqual(tried.statements)
  const empty = await bank.send(file, { dryRun: '' })
  expect(empty.json().message).toBe('dryRun: must not be empty')
})

test('an account that is switched off takes no file', async () => {
  const off = await bank.addAccount({ name: 'Old', account: 'NL91 ABNA 0417 1643 00' })
  await bank.call('PATCH', `/api/bank/accounts/${off.id}`, { isActive: false })
  const reply = await bank.send(camtFile(credit('1.00', 'x'), { iban: 'NL91ABNA0417164300' }))
  expect(reply.json().message).toBe('NL91 ABNA … 4300 (EUR) is switched off: switch it on first')
})

test('the file is kept as it came, and each view of it is audited', async () => {
  const file = Buffer.from(
    camtFile(credit('8.88', 'Müller'), { head: '<?xml version="1.0" encoding="ISO-8859-1"?>' }),
    'latin1',
  )
  const { import: taken } = await bank.importFile(file, { fileName: 'März "1".xml' })
  const reply = await createBankCaller(server, 'rui').call('GET', `/api/bank/imports/${taken.id}/file`)
  expect(reply.rawPayload).toEqual(file)
  expect(reply.headers).toMatchObject({
    'content-type': 'application/octet-stream',
    'x-content-type-options': 'nosniff',
    'content-disposition': `attachment; filename="M_rz _1_.xml"; filename*=UTF-8''M%C3%A4rz%20%221%22.xml`,
  })
  const views = await server.sql(`SELECT actor_name, target_id FROM audit_log WHERE action = 'view_statement_file'`)
  expect(views).toEqual([{ actor_name: 'rui', target_id: taken.id }])
  for (const id of ['0', '999999', 'x'])
    expect((await bank.call('GET', `/api/bank/imports/${id}/file`)).statusCode, id).toBe(404)
})

test('each declared type is taken, and no other', async () => {
  for (const [at, type] of [...(bankRoutes.import.consumes ?? []), 'application/json', 'image/png'].entries()) {
    const file = Buffer.from(camtFile(credit('2.00', `type ${at}`)))
    const reply = await bank.call('POST', '/api/bank/imports?fileName=x', file, { 'content-type': type })
    expect(reply.statusCode, type).toBe(bankRoutes.import.consumes?.includes(type) ? 200 : 415)
  }
  const packed = { 'content-type': 'text/plain', 'content-encoding': 'gzip' }
  expect((await bank.call('POST', '/api/bank/imports?fileName=x', Buffer.from('x'), packed)).statusCode).toBe(415)
})

test('a file above the limit is refused', async () => {
  const large = Buffer.alloc(statementFileLimits.bytes + 1, ' ')
  const reply = await bank.send(large)
  expect([reply.statusCode, reply.json()]).toMatchObject([
    413,
    { code: 'too_large', message: 'A statement file has at most 50 MB and 100,000 lines' },
  ])
})

test('files and statements are listed, newest first', async () => {
  const { import: taken } = await bank.importFile(camtFile(credit('6.66', 'latest')), { fileName: 'last.xml' })
  const imports = (await bank.call('GET', '/api/bank/imports?limit=1')).json()
  expect(imports).toMatchObject({ imports: [{ id: taken.id, fileName: 'last.xml', linesNew: 1 }], page: 1, limit: 1 })
  expect(imports.total).toBeGreaterThan(5)
  const statements = (await bank.call('GET', `/api/bank/statements?accountId=${account.id}`)).json()
  expect(statements.statements[0]).toMatchObject({
    importId: taken.id,
    credits: '6.66',
    fileName: 'last.xml',
    opening: null,
  })
  expect((await bank.call('GET', '/api/bank/statements?accountId=999')).json()).toMatchObject({
    statements: [],
    total: 0,
  })
})
