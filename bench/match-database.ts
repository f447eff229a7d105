import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool, type Database } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { loadProposal } from '#server/features/bank/candidates/build-proposal.ts'
import { refreshProposals } from '#server/features/bank/proposals/refresh-proposals.ts'
import { type StatementLine, emptyCounterparty, newLine } from '#server/features/bank/statements/readers/statement.ts'
import { readStoredLines } from '#server/features/bank/statements/stored-line.ts'
import { Random } from '#demo/platform/random.ts'
import { insertOrders } from './open-orders.ts'
import { seed } from './seed.ts'
import { storeAccount, storeLines } from './bank/store-dataset.ts'

/** How long it takes to propose from the database: for one line, for all lines, and after one order has changed. */
const { values: options } = parseArgs({
  options: {
    members: { type: 'string', default: '200000' },
    open: { type: 'string', default: '2000,200000' },
    lines: { type: 'string', default: '1000' },
  },
})

interface Sample extends pg.QueryResultRow {
  number: string
  amount: string
  name: string
}

/** Half of the lines name their order, a fifth misspell it, a fifth name only the member, the others nobody. */
function makeLine(random: Random, { number, amount, name }: Sample, place: number): StatementLine {
  const kind = random.whole(1, 10)
  const swapped = number.slice(0, -2) + number.slice(-1) + number.slice(-2, -1)
  const text = kind <= 5 ? number : kind <= 7 ? swapped : kind <= 9 ? 'Investment, thank you' : `Invoice ${place}`
  return newLine({
    place: `line ${place}`,
    amount: kind === 10 ? `${place}.17` : amount,
    currency: 'EUR',
    direction: 'credit',
    bookedOn: new Date().toISOString().slice(0, 10),
    remittance: [`SEPA credit ${text} 12.11.2026`],
    counterparty: { ...emptyCounterparty(), name: kind === 10 ? 'Supplies Ltd' : name },
  })
}

const toMs = (from: number) => Math.round((performance.now() - from) * 10) / 10
const pick = (sorted: number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)]!

async function makeLines(database: Database, count: number): Promise<StatementLine[]> {
  const { rows } = await database.pool.query<Sample>(
    `SELECT order_number AS number, investment_amount::text AS amount, legal_first_name || ' ' || legal_last_name AS name
     FROM orders o JOIN members m ON m.id = o.member_id ORDER BY hashint8(o.id) LIMIT $1`,
    [count],
  )
  const random = new Random(1)
  return Array.from({ length: count }, (_, place) => makeLine(random, rows[place % rows.length]!, place))
}

async function measureSingles(database: Database): Promise<{ median: number; p95: number }> {
  const stored = await readStoredLines(database.db, sql`ORDER BY l.id LIMIT 300`)
  const times: number[] = []
  for (const line of stored) {
    const from = performance.now()
    await loadProposal(database.db, line)
    times.push(toMs(from))
  }
  const sorted = times.toSorted((one, other) => one - other)
  return { median: pick(sorted, 0.5), p95: pick(sorted, 0.95) }
}

async function measurePass(database: Database): Promise<number> {
  // The job needs nothing else of the services.
  const config = { leaseSeconds: 60 } as Services['config']
  const ctx = contextFor({ database, config } as Services, { kind: 'system', name: 'bench' })
  const from = performance.now()
  await refreshProposals(ctx, new AbortController().signal)
  return toMs(from)
}

async function measure(database: Database, open: number) {
  const first = await measurePass(database)
  const { median, p95 } = await measureSingles(database)
  await measurePass(database)
  const idle = await measurePass(database)
  await database.pool.query(
    `UPDATE orders SET status = 'cancelled', version = version + 1 WHERE order_number = (
      SELECT proposed_orders[1] FROM bank_lines WHERE suggestion = 'exact' ORDER BY id LIMIT 1)`,
  )
  const changed = await measurePass(database)
  const { rows } = await database.pool.query(
    'SELECT suggestion, count(*)::int FROM bank_lines GROUP BY suggestion ORDER BY suggestion',
  )
  return {
    'open orders': open,
    'one line, median ms': median,
    'p95 ms': p95,
    'first pass ms': first,
    'idle pass ms': idle,
    'after one change ms': changed,
    proposed: rows.map((row) => `${row.suggestion} ${row.count}`).join(', '),
  }
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
const results: Awaited<ReturnType<typeof measure>>[] = []
try {
  const admin = new pg.Client(postgres.connection)
  await admin.connect()
  await admin.query('CREATE DATABASE bench')
  await admin.end()
  const connection = { ...postgres.connection, database: 'bench' }
  await migrateDatabase(connection)
  const database = connectPool({ ...connection, statement_timeout: 0 }, () => {})
  const members = Number(options.members)
  await seed(database, members)
  const account = await storeAccount(database.db, 'DE89370400440532013000')
  let made = 0
  for (const open of options.open.split(',').map(Number)) {
    await database.pool.query(insertOrders, [open, members, made + 1])
    await database.pool.query('VACUUM ANALYZE')
    if (made === 0) await storeLines(database.db, account, await makeLines(database, Number(options.lines)))
    made = open
    // As after a restart, and as if nothing had been proposed.
    await database.pool.query("UPDATE bank_lines SET suggestion = NULL WHERE state = 'open'")
    await database.pool.query('UPDATE bank_policy SET refreshed_to = NULL')
    results.push(await measure(database, open))
    console.table(results)
  }
  await database.close()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exit(0)
