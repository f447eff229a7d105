/**
 * Bytes of a row, heap and indexes, of the tables that grow: after the lists' seeds, freshly vacuumed. Prints the table of
 * docs/scaling.md with what it comes to at ten million members.
 *
 *   node bench/table-sizes.ts [members, default 200000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { seed } from './seed.ts'
import { seedLists } from './seed-lists.ts'

const members = Number(process.argv[2] ?? 200_000)

/** How many rows of each table an installation of ten million members has. */
const assumed: Record<string, number> = {
  members: 10e6,
  orders: 10e6,
  chain_transactions: 100e6,
  platform_transactions: 50e6,
  audit_log: 50e6,
  bank_lines: 12e6,
  wallets: 10e6,
  platform_events: 30e6,
}

interface Size {
  name: string
  rows: number
  heap: number
  indexes: number
}

const sizesSql = `SELECT c.relname AS name, c.reltuples::float8 AS rows, pg_table_size(c.oid)::float8 AS heap, pg_indexes_size(c.oid)::float8 AS indexes
  FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname = ANY($1) ORDER BY c.relname`

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const embedded = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })
const database = connectPool(embedded.connection, () => {})
try {
  await migrateDatabase(embedded.connection)
  await seed(database, members)
  await seedLists(database, {
    members,
    orders: members,
    chainTransactions: members * 5,
    platformTransactions: members * 5,
    auditRows: members * 2,
    bankLines: members,
  })
  await database.pool.query(
    `INSERT INTO platform_events (type, entity_type, entity_id, version, payload)
     SELECT 'order.paid', 'order', order_number, 2, jsonb_build_object('orderNumber', order_number, 'memberId', member_id, 'status', 'paid',
       'at', '2026-11-24T10:00:00.000Z', 'payment', jsonb_build_object('via', 'bank', 'amount', investment_amount::text,
       'currency', currency, 'bookedOn', '2026-11-24', 'allocations', 1, 'late', false)) FROM orders ORDER BY id`,
  )
  await database.pool.query('VACUUM ANALYZE platform_events')
  const { rows } = await database.pool.query<Size>(sizesSql, [Object.keys(assumed)])
  const perRow = ({ rows, heap, indexes }: Size) => ({ heap: heap / rows, indexes: indexes / rows })
  console.log('| Table | heap | indexes | bytes a row | rows | GB |\n|---|---|---|---|---|---|')
  let sum = 0
  for (const size of rows.filter((each) => each.rows >= 1000)) {
    const { heap, indexes } = perRow(size)
    const total = ((heap + indexes) * assumed[size.name]!) / 1e9
    sum += total
    console.log(
      `| ${size.name} | ${heap.toFixed(0)} | ${indexes.toFixed(0)} | ${(heap + indexes).toFixed(0)} | ${assumed[size.name]! / 1e6} M | ${total.toFixed(1)} |`,
    )
  }
  console.log(`| **together** | | | | | **${sum.toFixed(0)}** |`)
  for (const { name } of rows.filter((each) => each.rows < 1000)) console.log(`${name}: too few rows to tell`)
} finally {
  await database.close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
