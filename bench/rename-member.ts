/**
 * How long a change of a member's name takes who has many orders, beside writing it to all of them at once, as a smaller number
 * of orders still is; and how long the job then takes.
 *
 *   node bench/rename-member.ts [orders, default 10000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { readConfig } from '#server/core/config.ts'
import { contextFor } from '#server/core/context.ts'
import { spreadNames } from '#server/features/orders/service.ts'
import { openServerBase } from '#server/process/start.ts'
import { median } from './measuring.ts'

const orders = Number(process.argv[2] ?? 10_000)
const rounds = 5

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const config = readConfig({ DATA_DIR: join(folder, 'data'), DEMO: 'off' })
const base = await openServerBase(config, pino({ level: 'silent' }), () => {})
const { services } = base
const ctx = contextFor(services, { kind: 'system', name: 'bench' })
const client = await services.database.pool.connect()
await client.query('SET statement_timeout = 0')
const sql = (text: string, values: unknown[] = []) => client.query(text, values)

/** Milliseconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

try {
  await sql(`INSERT INTO members (id, email, legal_first_name) SELECT 'm-' || n, 'm' || n || '@example.com', 'Ana ' || n
    FROM generate_series(1, 50000) AS n`)
  await sql(
    `INSERT INTO orders (order_number, member_id, project_id, project_name, investment_amount, currency, bank_name, account_holder,
      account_number, iban, swift, payment_instructions, expires_at)
     SELECT 'ORD-' || n, CASE WHEN n <= $1 THEN 'm-1' ELSE 'm-' || (2 + n % 49999) END, 'p-' || n % 40, 'Solar Park ' || n % 40, 100, 'EUR', 'Bank',
       'Platform', '1', 'DE89370400440532013000', 'XXXXDEFF', '', now() + interval '7 days' FROM generate_series(1, $1 + 100000) AS n`,
    [orders],
  )
  await sql('VACUUM ANALYZE orders')
  const [changes, spreads, directs]: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    changes!.push(await time(() => sql(`UPDATE members SET legal_first_name = $1 WHERE id = 'm-1'`, [`Bea ${round}`])))
    spreads!.push(await time(() => spreadNames(ctx, new AbortController().signal)))
    // The same work in one statement.
    directs!.push(
      await time(() => sql(`UPDATE orders SET member_search = $1 WHERE member_id = 'm-1'`, [`direct ${round}`])),
    )
  }
  const [change, spread, direct] = [changes!, spreads!, directs!].map(median)
  console.log(`${orders} orders of one member among ${orders + 100_000}, median of ${rounds}:`)
  console.log(
    `the change ${change!.toFixed(1)} ms (× ${(direct! / change!).toFixed(0)} quicker than with all orders at once, ${direct!.toFixed(0)} ms)`,
  )
  console.log(`the job ${spread!.toFixed(0)} ms in batches of 500`)
} finally {
  client.release()
  await base.close()
  await rm(folder, { recursive: true, force: true })
}
