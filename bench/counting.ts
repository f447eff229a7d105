/**
 * What the exact counts of a list add to a write (docs/decisions/005): single rows and many at once, into a table without counts,
 * with those that `count_table` makes, whose statements are fixed, and with the same ones as text that is planned at each call.
 *
 *   node bench/counting.ts [single rows, default 3000] [rows at once, default 100000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectPool } from '#server/db/client.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/start.ts'
import { migrateDatabase } from '#server/db/migrate.ts'
import { median } from './measuring.ts'

const singles = Number(process.argv[2] ?? 3000)
const many = Number(process.argv[3] ?? 100_000)
const rounds = 5

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const embedded = await startEmbeddedPostgres({ dataDir: join(folder, 'data'), say: () => {} })
const database = connectPool({ ...embedded.connection, options: '' }, () => {})
const client = await database.pool.connect()
const sql = (text: string) => client.query(text)

const tables = ['uncounted', 'counted', 'planned'] as const
type Table = (typeof tables)[number]

async function makeTables(): Promise<void> {
  for (const table of tables)
    await sql(`CREATE TABLE ${table} (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, status text NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now())`)
  const [leaf, day] = ['t.status', `(t.created_at AT TIME ZONE 'UTC')::date`]
  for (const table of tables.slice(1))
    await sql(`SELECT count_table('${table}', '${table}', leaf => $$${leaf}$$, day => $$${day}$$)`)
  const change = (sign: string, rows: string) =>
    `EXECUTE 'INSERT INTO list_deltas (list, leaf, day, rows, amount) SELECT ''planned'', ${leaf}, ${day.replaceAll("'", "''")}, ${sign}count(*), 0
      FROM ${rows} AS t GROUP BY 2, 3'`
  await sql(`CREATE OR REPLACE FUNCTION count_planned() RETURNS trigger LANGUAGE plpgsql AS $count$
    BEGIN
      IF TG_OP <> 'DELETE' THEN ${change('', 'added')}; END IF;
      IF TG_OP <> 'INSERT' THEN ${change('-', 'removed')}; END IF;
      RETURN NULL;
    END $count$`)
}

/** Milliseconds. */
async function time(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

const works: Record<string, (table: Table) => Promise<unknown>> = {
  [`${singles} rows, a statement each`]: (table) =>
    sql(`DO $$ BEGIN FOR n IN 1..${singles} LOOP INSERT INTO ${table} (status) VALUES ('open'); END LOOP; END $$`),
  [`${singles} changes of state, a statement each`]: (table) =>
    sql(`DO $$ BEGIN FOR n IN 1..${singles} LOOP UPDATE ${table} SET status = 'paid' WHERE id = n; END LOOP; END $$`),
  [`${many} rows in one statement`]: (table) =>
    sql(`INSERT INTO ${table} (status) SELECT 'open' FROM generate_series(1, ${many})`),
}

try {
  await migrateDatabase(embedded.connection)
  await makeTables()
  console.log(`median of ${rounds}, ms`.padEnd(48) + tables.map((table) => table.padStart(12)).join(''))
  for (const [name, work] of Object.entries(works)) {
    const times = new Map<Table, number[]>(tables.map((table) => [table, []]))
    for (let round = 0; round < rounds; round++)
      for (const table of tables) {
        await sql('TRUNCATE list_deltas')
        times.get(table)!.push(await time(() => work(table)))
      }
    console.log(name.padEnd(48) + tables.map((table) => median(times.get(table)!).toFixed(0).padStart(12)).join(''))
  }
} finally {
  client.release()
  await database.close()
  await embedded.stop()
  await rm(folder, { recursive: true, force: true })
}
