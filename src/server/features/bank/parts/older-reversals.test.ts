import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateDatabase } from '#server/db/migrate.ts'
import { newDatabaseName } from '#test/support/console-process.ts'
import { findCluster } from '#test/support/cluster.ts'

/** The first migration with which parts name their decision (docs/decisions/065). */
const firstWithDecisions = '20261123133317_bank_part_decisions'
const allMigrations = join(import.meta.dirname, '../../../../../drizzle')
const earlierMigrations = mkdtempSync(join(tmpdir(), 'earlier-migrations-'))
const postgres = findCluster().postgres
const database = newDatabaseName('older_reversals')
const maintenance = new pg.Client(postgres)
const client = new pg.Client({ ...postgres, database })

async function insert(table: string, row: Record<string, unknown>): Promise<string> {
  const columns = Object.keys(row)
  const values = columns.map((_, at) => `$${at + 1}`)
  const { rows } = await client.query<{ id: string }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) RETURNING id::text`,
    Object.values(row),
  )
  return rows[0]!.id
}

const noon = '2026-11-03T12:00:00Z'
const evening = '2026-11-03T18:00:00Z'

interface Ids {
  accountId: string
  statementId: string
}

let made = 0
const makeLine = ({ accountId, statementId }: Ids, direction: string, amount: string) =>
  insert('bank_lines', {
    account_id: accountId,
    statement_id: statementId,
    key: `line ${(made += 1)}`,
    occurrence: 1,
    place: `line ${made}`,
    position: made,
    direction,
    amount,
    currency: 'EUR',
    is_reversal: direction === 'debit',
    booking: 'booked',
    structured: [],
    remittance: [],
    info: [],
    details: '{}',
  })

const makePart = (lineId: string, given: Record<string, unknown>) =>
  insert('bank_parts', { line_id: lineId, rule: 'hand', evidence: '{}', made_by: 'ada', ...given })

const undoPart = (id: string, at: string, by: string) =>
  client.query('UPDATE bank_parts SET undone_at = $2, undone_by = $3, undo_reason = $4 WHERE id = $1', [
    id,
    at,
    by,
    'The bank took the payment back',
  ])

/** Both sides of what the bank took back, as one call wrote them. */
async function makeReversal(credit: string, debit: string, amount: string, at: string): Promise<[string, string]> {
  const facts = { purpose: 'reversal', amount, made_at: at }
  return [
    await makePart(credit, { ...facts, other_line_id: debit }),
    await makePart(debit, { ...facts, other_line_id: credit }),
  ]
}

async function makeStatement(): Promise<Ids> {
  const accountId = await insert('bank_accounts', { name: 'Giro', account: '1', account_key: '1', currency: 'EUR' })
  const counts = { lines_new: 0, lines_known: 0, unreadable_count: 0, warnings: [], unreadable: [] }
  const file = { sha256: '0'.repeat(64), file_name: 'a.xml', format: 'camt', size: 1, imported_by: 'ada', ...counts }
  const importId = await insert('bank_imports', file)
  return {
    accountId,
    statementId: await insert('bank_statements', { import_id: importId, account_id: accountId, kind: 'camt.053' }),
  }
}

async function makeOrder(): Promise<string> {
  await insert('members', { id: 'ana', email: 'ana@example.com' })
  const bank = { bank_name: '', account_holder: '', account_number: '', iban: '', swift: '', payment_instructions: '' }
  const order = { order_number: 'ORD-1', member_id: 'ana', project_id: 'p', project_name: 'Solar Park', ...bank }
  return insert('orders', { ...order, investment_amount: '100.00', currency: 'EUR', expires_at: evening })
}

/** A payment of an order that the bank took back, after an operator had undone another purpose of the same line. */
async function makeTakenBack(ids: Ids) {
  const [credit, debit] = [await makeLine(ids, 'credit', '100.00'), await makeLine(ids, 'debit', '100.00')]
  const byHand = await makePart(credit, { purpose: 'ignored', amount: '100.00', code: 'fee' })
  await undoPart(byHand, '2026-11-03T11:00:00Z', 'rui')
  const payment = await makePart(credit, { purpose: 'order', order_id: await makeOrder(), amount: '100.00' })
  await undoPart(payment, noon, 'ada')
  return { byHand, payment, sides: await makeReversal(credit, debit, '100.00', noon) }
}

/** One call that took two equal amounts of a line back, and undid one purpose for them. */
async function makeTwoAtOnce(ids: Ids) {
  const [credit, debit] = [await makeLine(ids, 'credit', '80.00'), await makeLine(ids, 'debit', '80.00')]
  const aside = await makePart(credit, { purpose: 'ignored', amount: '80.00', code: 'fee' })
  await undoPart(aside, evening, 'ada')
  const first = await makeReversal(credit, debit, '40.00', evening)
  return { aside, first, second: await makeReversal(credit, debit, '40.00', evening) }
}

let older: Awaited<ReturnType<typeof makeTakenBack>> & Awaited<ReturnType<typeof makeTwoAtOnce>>
let linesBefore: unknown[]

const readLines = async () =>
  (await client.query('SELECT id, allocated, state, version FROM bank_lines ORDER BY id')).rows

async function readDecisions(id: string): Promise<{ madeWith: string | null; undoneWith: string | null }> {
  const { rows } = await client.query(
    'SELECT made_with AS "madeWith", undone_with AS "undoneWith" FROM bank_parts WHERE id = $1',
    [id],
  )
  return rows[0]
}

const readSides = (ids: readonly string[]) => Promise.all(ids.map(readDecisions))

beforeAll(async () => {
  for (const name of readdirSync(allMigrations).filter((each) => each < firstWithDecisions))
    cpSync(join(allMigrations, name), join(earlierMigrations, name), { recursive: true })
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${database}`)
  await migrateDatabase({ ...postgres, database }, { migrationsFolder: earlierMigrations })
  await client.connect()
  const ids = await makeStatement()
  older = { ...(await makeTakenBack(ids)), ...(await makeTwoAtOnce(ids)) }
  linesBefore = await readLines()
  await migrateDatabase({ ...postgres, database })
})

afterAll(async () => {
  await client.end()
  await maintenance.end()
  rmSync(earlierMigrations, { recursive: true })
})

test('both sides of an older reversal have one decision (decision 065)', async () => {
  const [credit, debit] = await readSides(older.sides)
  expect(credit).toEqual({ madeWith: expect.any(String), undoneWith: null })
  expect(debit).toEqual(credit)
})

test('what an older reversal undid is named by its decision (decision 065)', async () => {
  const { madeWith } = await readDecisions(older.sides[0])
  expect(await readDecisions(older.payment)).toEqual({ madeWith: null, undoneWith: madeWith })
})

test('what an operator had undone by hand before belongs to no decision (decision 065)', async () => {
  expect(await readDecisions(older.byHand)).toEqual({ madeWith: null, undoneWith: null })
})

test('two equal reversals of one call are two decisions (decision 065)', async () => {
  const [first, second] = [await readSides(older.first), await readSides(older.second)]
  expect(first[0]).toEqual(first[1])
  expect(second[0]).toEqual(second[1])
  expect(first[0]!.madeWith).not.toBe(second[0]!.madeWith)
  expect((await readDecisions(older.aside)).undoneWith).toBe(first[0]!.madeWith)
})

test('the lines stay as they were, and parts are as fixed as before (decision 065)', async () => {
  expect(await readLines()).toEqual(linesBefore)
  await expect(client.query('UPDATE bank_parts SET amount = amount + 1')).rejects.toThrow(/never changed/)
})
