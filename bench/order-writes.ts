/**
 * What the indexes of the matching of bank lines cost a write of an order: PUTs of new orders and an import of orders, into a
 * database as it is and into one without them, in turn. Both have orders that wait already.
 *
 *   node bench/order-writes.ts [--seconds 4] [--rounds 5] [--open 100000] [--lines 20000] [--also "CREATE INDEX …"]
 *
 * `--also` adds a third database in which this SQL ran, to try another design.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { contextFor, type Services } from '#server/core/context.ts'
import { connectPool, type Database } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { importStream } from '#server/platform/import.ts'
import { connections, measure, median, serve, type Server } from './measuring.ts'
import { makeOrder } from './orders.ts'
import { addKey, key } from './platform-key.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '4' },
    rounds: { type: 'string', default: '5' },
    open: { type: 'string', default: '100000' },
    lines: { type: 'string', default: '20000' },
    also: { type: 'string' },
  },
})
const [rounds, lines] = [Number(options.rounds), Number(options.lines)]

const matchingIndexes = [
  'orders_code_look_alikes',
  'orders_code_digits',
  'orders_code_length',
  'orders_outstanding',
  'orders_open_member',
]

const insertMembers = `
  INSERT INTO members (id, email) SELECT 'm-' || n, 'm-' || n || '@mail.example' FROM generate_series(1, 1000) n`

const insertOrders = `
  INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, bank_name,
    account_holder, account_number, iban, swift, payment_instructions, expires_at)
  SELECT 'ORD-' || lpad(n::text, 6, '0'), 'm-' || 1 + n % 1000, 'prj-1', 'Solar Park', 100 + n % 9000, 'EUR', '', '', '', '',
    '', '', now() + interval '9 days'
  FROM generate_series(1, $1::bigint) n`

/** A console with its database, and what was measured of it in each round. */
interface Variant {
  name: string
  database: Database
  server: Server
  puts: number[]
  imports: number[]
}

async function makeVariant(postgres: pg.PoolConfig, at: number, name: string, statement: string): Promise<Variant> {
  const admin = new pg.Client(postgres)
  await admin.connect()
  await admin.query(`CREATE DATABASE bench_${at}`)
  await admin.end()
  const connection = { ...postgres, database: `bench_${at}` }
  await migrateDatabase(connection)
  await addKey(connection)
  const database = connectPool({ ...connection, statement_timeout: 0 }, () => {})
  await database.pool.query(insertMembers)
  await database.pool.query(statement)
  await database.pool.query(insertOrders, [Number(options.open)])
  await database.pool.query('VACUUM ANALYZE')
  return { name, database, server: await serve('console.ts', { connection }), puts: [], imports: [] }
}

function* writeLines(round: number) {
  for (let n = 0; n < lines; n++)
    yield `${JSON.stringify({ type: 'order', orderNumber: `L${round}-${String(n).padStart(7, '0')}`, ...makeOrder(n) })}\n`
}

/** Orders a second. */
async function importOrders(database: Database, round: number): Promise<number> {
  // An import needs nothing else of the services.
  const ctx = contextFor({ database } as Services, { kind: 'system', name: 'bench' })
  const begun = performance.now()
  const { errors, created } = await importStream(
    ctx,
    Readable.from(writeLines(round)).map((line: string) => Buffer.from(line)),
    { isDryRun: false },
  )
  if (created !== lines)
    throw new Error(`${created} of ${lines} orders were made: ${JSON.stringify(errors.slice(0, 3))}`)
  return (1000 * lines) / (performance.now() - begun)
}

async function measureRound(variants: readonly Variant[], round: number) {
  for (const { server, database, puts, imports } of round % 2 === 0 ? variants : variants.toReversed()) {
    await database.pool.query('CHECKPOINT')
    const given = { of: 'orders' as const, prefix: `P${round}`, count: 1e6, key }
    puts.push((await measure(server, '/api/platform/v1/orders', Number(options.seconds), given)).requestsPerSecond)
    imports.push(await importOrders(database, round))
  }
}

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const postgres = await startEmbeddedPostgres({ dataDir: folder, say: () => {} })
try {
  const designs: [string, string][] = [
    ['without the indexes of the matching', `DROP INDEX ${matchingIndexes.join(', ')}`],
    ['as it is', ''],
  ]
  if (options.also) designs.push([options.also, options.also])
  const variants: Variant[] = []
  for (const [at, [name, statement]] of designs.entries())
    variants.push(await makeVariant(postgres.connection, at, name, statement))
  for (let round = 0; round < rounds; round++) await measureRound(variants, round)
  console.log(
    `${cpus().length} processors (${cpus()[0]?.model.trim()}), Node ${process.version}, ${connections} connections,`,
  )
  console.log(`median of ${rounds} rounds; ${options.open} orders wait; load ${loadavg()[0]!.toFixed(1)}`)
  const [bare] = variants
  console.table(
    variants.map(({ name, puts, imports }) => ({
      database: name,
      'PUT/s': Math.round(median(puts)),
      'of the first': `${Math.round(100 * median(puts.map((each, n) => each / bare!.puts[n]!)))} %`,
      'imported/s': Math.round(median(imports)),
      'of the first ': `${Math.round(100 * median(imports.map((each, n) => each / bare!.imports[n]!)))} %`,
    })),
  )
  for (const { server, database } of variants) {
    server.stop()
    await database.close()
  }
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
