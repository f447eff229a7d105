import { integer, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { foldCounts } from '#server/jobs/fold-counts.ts'
import { randomWrites } from '#test/support/random-writes.ts'
import { startServer } from '#test/support/server.ts'
import { instant } from './columns.ts'
import { type Counts, declareCounts, declaredCounts } from './counts.ts'
import { pageQuery } from './list.ts'

const server = await startServer()
// Loading the server has declared them; this file's own samples come later.
const lists = declaredCounts()
const client = new pg.Client(server.connection)
await client.connect()
afterAll(() => client.end())

/** Functions and triggers that count, by the name of the list. */
async function countingParts(): Promise<Map<string, string[]>> {
  const { rows } = await client.query<{ list: string; parts: string[] }>(
    `SELECT substr(p.proname, 7) AS list, array_agg(pg_get_triggerdef(t.oid) ORDER BY t.tgname) || p.prosrc AS parts
    FROM pg_proc p LEFT JOIN pg_trigger t ON t.tgfoid = p.oid
    WHERE p.prorettype = 'trigger'::regtype AND p.proname LIKE 'count\\_%' GROUP BY p.oid`,
  )
  return new Map(rows.map(({ list, parts }) => [list, parts]))
}

test('the database counts what is declared, as it is declared', async () => {
  const present = await countingParts()
  await client.query('BEGIN')
  for (const { statement } of lists) await client.query(statement)
  const declared = await countingParts()
  await client.query('ROLLBACK')
  const isOther = ({ name }: Counts) => present.get(name)?.join() !== declared.get(name)?.join()
  const statements = lists.filter(isOther).map(({ statement }) => statement)
  expect(statements, 'a migration has to run these statements').toEqual([])
})

test('the database counts nothing that is not declared', async () => {
  expect([...(await countingParts()).keys()].toSorted()).toEqual(lists.map(({ name }) => name).toSorted())
})

test('a statement with an id in its text is not kept by a name', () => {
  const counts = lists.find(({ name }) => name === 'bank_lines')!
  const nameOf = (wanted: Wanted) =>
    pageQuery({ ...counts.list, select: { id: 't.id' } }, { page: 1, limit: 50, filters: [counts.filter(wanted)] }).name
  expect(nameOf({ state: 'open' })).toMatch(/^list_/)
  expect(nameOf({ state: 'open', account: '1' })).toBeUndefined()
})

type Wanted = Counts['filters'][number]

/** Values that no column lists. */
const others: Record<string, Wanted[]> = {
  bank_lines: [{ account: '1' }, { account: '2' }],
  bank_allocations: [{ account: '1' }, { account: '2' }, { direction: 'credit' }, { direction: 'debit' }],
  audit_log: [{ action: 'login' }, { action: ['platform_call', 'ban_user'] }],
  order_money: [{ currency: 'EUR' }, { currency: 'GBP' }],
  messages: [{ endpoint: '1' }, { endpoint: '2' }],
}

/** Each value by itself, and with each value of another part. */
function filtersOf({ name, filters }: Counts): Wanted[] {
  const singles = [...filters, ...(others[name] ?? [])]
  const pairs = singles.flatMap((one) => singles.map((other) => ({ ...one, ...other })))
  return [{}, ...singles, ...pairs.filter((pair) => Object.keys(pair).length > 1)]
}

/** What a filter counts by its leaves, whole and by day, and by the rows themselves. */
async function compare(counts: Counts, wanted: Wanted) {
  const { rows, leaves } = counts.filter(wanted)
  const { table, at, name } = counts.list
  const { rows: found } = await client.query(
    `SELECT (SELECT coalesce(sum(rows), 0)::int FROM ${counts.all} c WHERE ${leaves}) AS total,
      (SELECT count(*)::int FROM ${table} t WHERE ${rows}) AS present`,
  )
  const { rows: days } = await client.query(
    `SELECT day::text, sum(rows)::int AS rows FROM (
      SELECT day, rows, leaf FROM list_days WHERE list = '${name}'
      UNION ALL SELECT day, rows, leaf FROM list_deltas WHERE list = '${name}') c
    WHERE ${leaves} GROUP BY day HAVING sum(rows) <> 0 ORDER BY day`,
  )
  const { rows: present } = await client.query(
    `SELECT day::text, count(*)::int AS rows
    FROM (SELECT ${at ? `(t.${at} AT TIME ZONE 'UTC')::date` : `date 'epoch'`} AS day FROM ${table} t WHERE ${rows}) c
    GROUP BY day ORDER BY day`,
  )
  const place = `${name} ${JSON.stringify(wanted)}`
  return {
    counted: { place, ...found[0], total: found[0].total, days },
    present: { place, ...found[0], total: found[0].present, days: present },
  }
}

test('each counted total is the number of rows, filter by filter, after any writes', async () => {
  const statements = randomWrites(20_261_122)
  for (let round = 1; round <= 4; round++) {
    for (let made = 0; made < 250; made++) {
      for (const statement of statements.next().value) await client.query(statement)
      if (made % 40 === 17) await foldCounts(server.services)
    }
    for (const counts of lists)
      for (const wanted of filtersOf(counts)) {
        const { counted, present } = await compare(counts, wanted)
        expect(counted).toEqual(present)
      }
  }
  // The writes reached every list, and more than one of its values.
  const { rows } = await client.query('SELECT list, count(DISTINCT leaf)::int AS leaves FROM list_totals GROUP BY list')
  expect(rows.filter(({ leaves }) => leaves > 1)).toHaveLength(lists.length)
})

test('an amount is summed beside its rows', async () => {
  const volumes = lists.find(({ name }) => name === 'chain_volume')!
  const counted = await client.query(
    `SELECT leaf, sum(rows)::int AS rows, trim_scale(sum(amount)) AS amount FROM ${volumes.all} c
    GROUP BY leaf HAVING sum(rows) <> 0 ORDER BY leaf`,
  )
  const present = await client.query(
    `SELECT token_address || '/' || coalesce(token_symbol, '') AS leaf, count(*)::int AS rows,
      trim_scale(sum(amount)) AS amount
    FROM chain_transactions WHERE status = 'completed' GROUP BY leaf ORDER BY leaf`,
  )
  expect(counted.rows).not.toEqual([])
  expect(counted.rows).toEqual(present.rows)
})

const samples = pgTable('samples', {
  id: integer('id').primaryKey(),
  kind: text('kind', { enum: ['a', 'b'] }).notNull(),
  note: text('note'),
  at: instant('at').notNull(),
})
const isLong = { true: 'length(t.note) > 3', false: 'length(t.note) <= 3 OR t.note IS NULL' }
const declare = (by: Parameters<typeof declareCounts>[0]['by']) =>
  declareCounts({ name: 'samples', table: samples, at: samples.at, by })

test('a filter reads the rows and the leaves of the values that it asks for', () => {
  const counts = declareCounts({ name: 'samples', table: samples, at: samples.at, by: { kind: samples.kind, isLong } })
  expect(counts.filter({})).toEqual({ rows: 'true', leaves: 'true' })
  expect(counts.filter({ kind: 'a' })).toEqual({ rows: `(t.kind = 'a')`, leaves: `split_part(leaf, '/', 1) = 'a'` })
  expect(counts.filter({ kind: 'a', isLong: 'true' })).toEqual({
    rows: `(t.kind = 'a') AND (length(t.note) > 3)`,
    leaves: `leaf = 'a/true'`,
  })
  expect(counts.filter({ kind: ['a', 'b'], isLong: undefined }).leaves).toBe(`split_part(leaf, '/', 1) IN ('a', 'b')`)
})

test('a changed declaration counts the rows again', async () => {
  await client.query(
    `CREATE TABLE samples (id int PRIMARY KEY, kind text NOT NULL, note text, at timestamptz(3) NOT NULL);
    INSERT INTO samples SELECT n, CASE WHEN n < 4 THEN 'a' ELSE 'b' END, repeat('%', n), now() FROM generate_series(1, 9) n`,
  )
  const leaves = async ({ all }: Pick<Counts, 'all'>) => {
    const { rows } = await client.query(
      `SELECT leaf, sum(rows)::int AS rows FROM ${all} c GROUP BY leaf HAVING sum(rows) <> 0 ORDER BY leaf`,
    )
    return Object.fromEntries(rows.map((row) => [row.leaf, row.rows]))
  }
  const before = declare({ kind: samples.kind })
  await client.query(before.statement)
  await foldCounts(server.services)
  expect(await leaves(before)).toEqual({ a: 3, b: 6 })
  const after = declare({ isLong, kind: samples.kind })
  for (let time = 1; time <= 2; time++) {
    await client.query(after.statement)
    expect(await leaves(after)).toEqual({ 'false/a': 3, 'true/b': 6 })
  }
  await client.query(`UPDATE samples SET note = NULL WHERE id = 9; DELETE FROM samples WHERE id = 1`)
  expect(await leaves(after)).toEqual({ 'false/a': 2, 'false/b': 1, 'true/b': 5 })
})

test('a list is counted while others write, and nobody waits (decision 005)', async () => {
  await client.query(`CREATE TABLE busy (id int PRIMARY KEY, kind text NOT NULL, amount numeric NOT NULL);
    INSERT INTO busy SELECT n, CASE WHEN n % 3 = 0 THEN 'a' ELSE 'b' END, n FROM generate_series(1, 900) n`)
  const given = (leaf: string) =>
    `'busy', 'busy', leaf => $$${leaf}$$, day => $$date '2026-01-01'$$, amount => 't.amount'`
  const [open, counting] = [new pg.Client(server.connection), new pg.Client(server.connection)]
  await Promise.all([open.connect(), counting.connect()])
  await client.query(`SELECT keep_counts(${given('t.kind')})`)
  await open.query(`BEGIN; INSERT INTO busy VALUES (1001, 'a', 1); DELETE FROM busy WHERE id = 1`)
  await client.query(`INSERT INTO busy VALUES (1002, 'b', 2)`)
  await foldCounts(server.services)
  // Counting has its snapshot when it waits here.
  await client.query('SELECT pg_advisory_lock(4711)')
  const counted = counting.query(
    `SELECT count_present(${given('t.kind || (SELECT left(pg_advisory_xact_lock_shared(4711)::text, 0))')})`,
  )
  const isWaiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 4711 AND NOT granted`
  await expect.poll(async () => (await client.query(isWaiting)).rowCount).toBe(1)
  await client.query(`SET lock_timeout = '1ms'; INSERT INTO busy VALUES (1003, 'a', 3);
    UPDATE busy SET kind = 'a', amount = amount + 1 WHERE id BETWEEN 2 AND 40; DELETE FROM busy WHERE id = 900; RESET lock_timeout`)
  await foldCounts(server.services)
  await open.query('COMMIT')
  await client.query('SELECT pg_advisory_unlock(4711)')
  await counted
  const compareTotals = async () => {
    const { rows } = await client.query(`SELECT leaf, sum(rows)::int AS rows, trim_scale(sum(amount)) AS amount FROM (
        SELECT leaf, rows, amount FROM list_totals WHERE list = 'busy'
        UNION ALL SELECT leaf, rows, amount FROM list_deltas WHERE list = 'busy') AS c GROUP BY leaf ORDER BY leaf`)
    const { rows: days } = await client.query(`SELECT leaf, sum(rows)::int AS rows FROM (
        SELECT leaf, day, rows FROM list_days WHERE list = 'busy'
        UNION ALL SELECT leaf, day, rows FROM list_deltas WHERE list = 'busy') AS c
      WHERE day = '2026-01-01' GROUP BY leaf ORDER BY leaf`)
    const { rows: present } = await client.query(
      `SELECT kind AS leaf, count(*)::int AS rows, trim_scale(sum(amount)) AS amount FROM busy GROUP BY kind ORDER BY kind`,
    )
    expect(rows).toEqual(present)
    expect(days).toEqual(present.map(({ leaf, rows: count }) => ({ leaf, rows: count })))
  }
  await compareTotals()
  await foldCounts(server.services)
  await client.query(`SELECT count_present(${given('t.kind')})`)
  await compareTotals()
  expect(
    (await client.query(`SELECT FROM list_deltas WHERE list = 'busy'`)).rowCount,
    'counted again, nothing lacks',
  ).toBe(0)
  await Promise.all([open.end(), counting.end()])
  await client.query(
    `DROP TABLE busy; DELETE FROM list_totals WHERE list = 'busy'; DELETE FROM list_days WHERE list = 'busy'`,
  )
})
