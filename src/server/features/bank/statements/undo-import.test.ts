import { beforeEach, expect, test } from 'vitest'
import { camtBalance, camtEntry, camtFile } from '#test/support/bank-files.ts'
import { createBankCaller } from '#test/support/bank.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const bank = createBankCaller(server)

let accounts = 0
let account = { id: '', account: '' }
/** Another account for each test. */
beforeEach(async () => {
  account = await bank.addAccount({ name: `Account ${(accounts += 1)}`, account: `00${accounts}4711` })
})

const undo = (id: string | null, reason: unknown = 'Wrong account', caller = bank) =>
  caller.call('POST', `/api/bank/imports/${id}/undo`, { reason })

const check = async (id: string | null) => (await bank.call('GET', `/api/bank/imports/${id}/undo`)).json()

const entry = (amount: string, text: string, status?: string) =>
  camtEntry(amount, 'CRDT', `<NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls>`, status)
const pending = '<Sts><Cd>PDNG</Cd></Sts>'

function fileOf(entries: string[], { number = '1', from = '', to = '' } = {}) {
  const balances = from ? camtBalance('OPBD', from) + camtBalance('CLBD', to) : ''
  return camtFile(`<LglSeqNb>${number}</LglSeqNb>${balances}${entries.join('')}`, { iban: 'X' })
    .replace('<IBAN>X</IBAN>', `<Othr><Id>${account.account}</Id></Othr>`)
    .replace('<Id>1</Id>', `<Id>${number}-${entries.length}</Id>`)
}
const take = async (file: string, fileName = 'a.xml') => (await bank.importFile(file, { fileName })).import.id

const linesOf = () => bank.lines({ accountId: account.id })
const figures = async () => (await bank.accounts()).find(({ id }) => id === account.id)!

/** All that is stored of lines, but for what each change counts up. */
const storedLines = () =>
  server.sql(
    `SELECT l.id, key, occurrence, statement_id, booking, state, covered_by, suggestion,
    (SELECT array_agg(s.statement_id ORDER BY 1) FROM bank_statement_lines s WHERE s.line_id = l.id) AS statements
    FROM bank_lines l WHERE account_id = $1 ORDER BY l.id`,
    [account.id],
  )

const givePurpose = (lineId: string) =>
  server.sql(
    `INSERT INTO bank_allocations (line_id, purpose, amount, code, rule, evidence, made_by)
     VALUES ($1, 'ignored', 1, 'fee', 'hand', '{}', 'ada')`,
    [lineId],
  )

test('an undone import is as if its file had never come (product 6.11)', async () => {
  await take(fileOf([entry('5.00', 'before')], { from: '0.00', to: '5.00' }))
  const [lines, before] = [await storedLines(), await figures()]
  const id = await take(
    fileOf([entry('7.00', 'wrong'), entry('8.00', 'wrong too')], { number: '2', from: '5.00', to: '21.00' }),
    'wrong.xml',
  )
  expect((await figures()).lines).toBe(3)
  const reply = await undo(id, 'It was another account')
  expect([reply.statusCode, reply.json()]).toMatchObject([
    200,
    {
      message: 'Import undone',
      import: { id, fileName: 'wrong.xml', undone: { by: 'ada', reason: 'It was another account' } },
    },
  ])
  expect([await storedLines(), await figures()]).toEqual([lines, before])
  const listed = (await bank.call('GET', `/api/bank/imports?accountId=${account.id}`)).json()
  expect(listed).toMatchObject({ total: 2, imports: [{ id, undone: { by: 'ada' } }, { undone: null }] })
  const statements = (await bank.call('GET', `/api/bank/statements?accountId=${account.id}`)).json()
  expect(statements).toMatchObject({ total: 1, statements: [{ number: '1' }] })
  const [row] = await server.sql(
    `SELECT actor_name, target_type, target_id, details FROM audit_log WHERE action = 'undo_import' ORDER BY id DESC LIMIT 1`,
  )
  expect(row).toMatchObject({
    actor_name: 'ada',
    target_type: 'bank_import',
    target_id: id,
    details: {
      fileName: 'wrong.xml',
      accountIds: [account.id],
      lines: 2,
      statements: 1,
      reason: 'It was another account',
    },
  })
})

test('the file of an undone import can be imported again, and its bytes stay', async () => {
  const file = fileOf([entry('5.00', 'again')])
  const first = await take(file)
  const lines = await linesOf()
  await undo(first)
  expect(await linesOf()).toEqual([])
  const second = await take(file)
  expect(second).not.toBe(first)
  expect((await linesOf()).map(({ amount }) => amount)).toEqual(lines.map(({ amount }) => amount))
  for (const id of [first, second])
    expect((await bank.call('GET', `/api/bank/imports/${id}/file`)).rawPayload.toString(), id!).toBe(file)
  expect((await bank.send(file)).json().code).toBe('file_imported')
})

test('an import is undone once, and only one that there is', async () => {
  const id = await take(fileOf([entry('5.00', 'once')]))
  await undo(id)
  const again = await undo(id)
  expect([again.statusCode, again.json().code]).toEqual([409, 'import_undone'])
  expect(again.json().message).toMatch(/^This import was undone by ada on \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/)
  for (const unknown of ['0', 'x', '999999']) expect((await undo(unknown)).statusCode, unknown).toBe(404)
  for (const reason of [null, '', '  ', 'x'.repeat(501)]) expect((await undo(id, reason)).statusCode).toBe(400)
})

test('an import with a line that has or had a purpose stays', async () => {
  const id = await take(fileOf([entry('5.00', 'one'), entry('6.00', 'two')]))
  const [line] = await linesOf()
  await givePurpose(line!.id)
  const refused = await undo(id)
  expect([refused.statusCode, refused.json()]).toMatchObject([
    409,
    {
      code: 'import_used',
      message: '1 line of it has a purpose: what was decided stays on record, so this import cannot be undone',
      details: { lines: 1 },
    },
  ])
  await server.sql(
    `UPDATE bank_allocations SET undone_at = now(), undone_by = 'ada', undo_reason = 'A slip' WHERE line_id = $1`,
    [line!.id],
  )
  expect((await undo(id)).json().message).toBe(
    '1 line of it had a purpose that was undone: what was decided stays on record, so this import cannot be undone',
  )
  expect(await linesOf()).toHaveLength(2)
})

test('an import whose lines a later file counts on stays until that is undone', async () => {
  const twice = entry('5.00', 'equal')
  const first = await take(fileOf([twice], { number: '1', from: '0.00', to: '5.00' }), 'first.xml')
  const second = await take(fileOf([twice], { number: '2', from: '5.00', to: '10.00' }), 'second.xml')
  const third = await take(
    fileOf([twice, entry('6.00', 'more')], { number: '1', from: '0.00', to: '11.00' }),
    'third.xml',
  )
  expect((await linesOf()).length).toBe(3)
  for (const [later, fileName] of [
    [third, 'third.xml'],
    [second, 'second.xml'],
  ]) {
    const refused = await undo(first)
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      {
        code: 'import_used',
        message: `${fileName} counts on 1 line of it: undo that import first`,
        details: { importId: later },
      },
    ])
    expect((await undo(later!)).statusCode).toBe(200)
  }
  expect((await undo(first)).statusCode).toBe(200)
  expect(await linesOf()).toEqual([])
})

test('a line that an undone import had booked is announced again', async () => {
  const first = await take(fileOf([entry('5.00', 'announced', pending)]))
  const before = await storedLines()
  const booked = await take(fileOf([entry('5.00', 'announced'), entry('6.00', 'new')]))
  expect((await linesOf()).map(({ state }) => state)).toEqual(['open', 'open'])
  await undo(booked)
  expect(await storedLines()).toEqual(before)
  expect((await undo(first)).statusCode).toBe(200)
})

test('a line that two files have booked stays booked until both are undone', async () => {
  await take(fileOf([entry('5.00', 'twice booked', pending)]))
  const before = await storedLines()
  const [one, two] = [
    await take(fileOf([entry('5.00', 'twice booked'), entry('1.00', 'one')])),
    await take(fileOf([entry('5.00', 'twice booked'), entry('2.00', 'two')])),
  ]
  await undo(one)
  expect((await linesOf()).map(({ state }) => state)).toEqual(['open', 'open'])
  await undo(two)
  expect(await storedLines()).toEqual(before)
})

test('what continued a statement of an undone import continues the one before it', async () => {
  const day = (from: string, to: string, number: string) =>
    fileOf([entry(String(Number(to) - Number(from)), number)], { number, from, to })
  await take(day('0.00', '5.00', '1'))
  const middle = await take(day('5.00', '9.00', '2'))
  await take(day('9.00', '12.00', '3'))
  await undo(middle)
  const rows = await server.sql(
    `SELECT number, (SELECT b.number FROM bank_statements b WHERE b.id = s.continues_id) AS before
     FROM bank_statements s WHERE account_id = $1 ORDER BY id`,
    [account.id],
  )
  expect(rows).toEqual([
    { number: '1', before: null },
    { number: '3', before: '1' },
  ])
  expect(await figures()).toMatchObject({ problems: { gaps: { count: 1, oldest: { number: '3' } } } })
})

test('of ten who undo an import at once one wins, and a given purpose keeps it', async () => {
  const id = await take(fileOf([entry('5.00', 'raced')]))
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => undo(id, `try ${at}`)))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(9).fill(409)])
  const other = await take(fileOf([entry('5.00', 'raced again')]))
  const [line] = await linesOf()
  const [undone, applied] = await Promise.all([
    undo(other),
    bank.call('POST', `/api/bank/lines/${line!.id}/allocations`, {
      allocations: [{ purpose: 'ignored', amount: '5.00', code: 'fee' }],
    }),
  ])
  expect([
    [200, 404],
    [409, 200],
  ]).toContainEqual([undone.statusCode, applied.statusCode])
})

test('a sum is work again when the import of its transactions is undone', async () => {
  const reference = 'SUM-1'
  const detail = (amount: string) =>
    `<TxDtls><Refs><AcctSvcrRef>T-${amount}</AcctSvcrRef></Refs><Amt Ccy="EUR">${amount}</Amt></TxDtls>`
  const booked = (details = '') =>
    camtEntry('9.00', 'CRDT', `<AcctSvcrRef>${reference}</AcctSvcrRef>${details && `<NtryDtls>${details}</NtryDtls>`}`)
  await take(fileOf([booked()]))
  const before = await storedLines()
  const transactions = await take(fileOf([booked(detail('4.00') + detail('5.00'))], { number: '2' }))
  expect((await linesOf()).map(({ amount, state }) => `${amount} ${state}`).toSorted()).toEqual([
    '4.00 open',
    '5.00 open',
    '9.00 info',
  ])
  await undo(transactions)
  expect(await storedLines()).toEqual(before)
  expect((await linesOf()).map(({ state }) => state)).toEqual(['open'])
})

test('an undo that will be refused is told beforehand, with its lines (product 5.13)', async () => {
  const id = await take(fileOf([entry('5.00', 'free'), entry('6.00', 'worked')]))
  expect(await check(id)).toEqual({ refusal: null, lines: [], lineCount: 0 })
  const line = (await linesOf()).find(({ amount }) => amount === '6.00')!
  await givePurpose(line.id)
  const before = await storedLines()
  expect(await check(id)).toMatchObject({
    refusal: (await undo(id)).json().message,
    lines: [{ id: line.id, amount: '6.00' }],
    lineCount: 1,
  })
  expect(await storedLines()).toEqual(before)
})

test('an undo that a later file forbids names the lines that it counts on (product 5.13)', async () => {
  const first = await take(fileOf([entry('5.00', 'kept'), entry('6.00', 'alone')], { number: '1' }))
  const [line] = (await linesOf()).filter(({ amount }) => amount === '5.00')
  const later = await take(fileOf([entry('5.00', 'kept')], { number: '3' }), 'later.xml')
  expect(await check(first)).toMatchObject({
    refusal: 'later.xml counts on 1 line of it: undo that import first',
    lines: [{ id: line!.id }],
    lineCount: 1,
  })
  await undo(later)
  expect((await check(first)).refusal).toBeNull()
  await undo(first)
  expect((await check(first)).refusal).toMatch(/^This import was undone by ada on /)
  expect((await bank.call('GET', '/api/bank/imports/0/undo')).statusCode).toBe(404)
})

test('an undo that many lines forbid names the first 20 of them', async () => {
  const id = await take(fileOf(Array.from({ length: 22 }, (_, at) => entry(`${at + 1}.00`, `many ${at}`))))
  for (const { id: lineId } of await linesOf()) await givePurpose(lineId)
  const { lines, lineCount } = await check(id)
  expect([lines.length, lineCount]).toEqual([20, 22])
})
