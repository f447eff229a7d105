import { join } from 'node:path'
import { type MigrationMeta, readMigrationFiles } from 'drizzle-orm/migrator'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isConcurrent, readConcurrentStatement } from './apply-migration.ts'
import { newDatabaseName } from '#test/support/console-process.ts'
import { findCluster } from '#test/support/cluster.ts'

const migrationsFolder = join(import.meta.dirname, '../../../drizzle')
/** Migrations from here on are judged. Those before it made databases that had no rows yet. */
const judgedFrom = '20261128090000'

/** Tables that stay small, so that nobody notices what is done to all of their rows. */
const smallTables = [
  'admins',
  'admin_factors',
  'alert_choices',
  'alert_recipients',
  'alarm_outputs',
  'approval_rules',
  'audit_keys',
  'bank_accounts',
  'bank_policy',
  'bulk_jobs',
  'chain_cursors',
  'leases',
  'list_views',
  'notes',
  'operator_identities',
  'operator_invitations',
  'platform_endpoints',
  'platform_keys',
  'reason_templates',
  'retention_rules',
  'settings',
  'tokens',
  'treasury_wallets',
]

/** Migrations that hold up calls all the same, with what they do and why that is acceptable. */
const exceptions: Record<string, { findings: string[]; reason: string }> = {}

const postgres = findCluster().postgres
const database = newDatabaseName('judged')
const maintenance = new pg.Client(postgres)
const client = new pg.Client({ ...postgres, database })

beforeAll(async () => {
  await maintenance.connect()
  await maintenance.query(`CREATE DATABASE ${database}`)
  await client.connect()
})
afterAll(async () => {
  await client.end()
  await maintenance.end()
})

interface Relation {
  id: string
  kind: 'table' | 'index' | 'constraint'
  /** The table that it belongs to. */
  table: string
  name: string
  /** What changes where it is written again, or checked. */
  state: string
}

const relationsSql = `
  SELECT 'table' AS kind, oid::text AS id, relname AS "table", relname AS name, relfilenode::text AS state FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'
  UNION ALL SELECT 'index', indexrelid::text, t.relname, i.relname, '' FROM pg_index
    JOIN pg_class t ON t.oid = indrelid JOIN pg_class i ON i.oid = indexrelid WHERE t.relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'constraint', c.oid::text, t.relname, conname, '' FROM pg_constraint c
    JOIN pg_class t ON t.oid = conrelid
    WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f') AND convalidated
  UNION ALL SELECT 'constraint', attrelid || ' ' || attname, t.relname, attname || ' NOT NULL', '' FROM pg_attribute
    JOIN pg_class t ON t.oid = attrelid
    WHERE t.relnamespace = 'public'::regnamespace AND t.relkind = 'r' AND attnotnull AND attnum > 0`

const columnsSql = `SELECT attrelid || ' ' || attname AS id FROM pg_attribute WHERE attnum > 0`

async function readRelations() {
  const { rows } = await client.query<Relation>(relationsSql)
  const { rows: columns } = await client.query<{ id: string }>(columnsSql)
  return {
    relations: new Map(rows.map((row) => [`${row.kind} ${row.id}`, row])),
    columns: new Set(columns.map(({ id }) => id)),
  }
}

type Relations = Awaited<ReturnType<typeof readRelations>>

/** Checks the rows of a constraint that holds for new ones already, while others read and write. */
const isValidation = ({ sql }: MigrationMeta) =>
  sql.every((statement) => /^\s*ALTER TABLE "?\w+"? VALIDATE CONSTRAINT "?\w+"?;?\s*$/.test(statement))

/** What a migration does to tables that were there before it, while others wait. */
function listFindings(migration: MigrationMeta, before: Relations, after: Relations): string[] {
  const large = new Set(
    [...before.relations.values()].flatMap(({ kind, table }) =>
      kind === 'table' && !smallTables.includes(table) ? [table] : [],
    ),
  )
  const findings: string[] = []
  for (const [key, { kind, id, table, name, state }] of after.relations) {
    const earlier = before.relations.get(key)
    if (!large.has(table) || earlier?.state === state) continue
    if (kind === 'table') findings.push(`writes all of ${table} again`)
    if (kind === 'index' && !isConcurrent(migration)) findings.push(`builds ${name} while nobody can write to ${table}`)
    // A column that is new and not null has a default, which needs no look at the rows.
    if (kind === 'constraint' && !isValidation(migration) && !(name.endsWith(' NOT NULL') && !before.columns.has(id)))
      findings.push(`checks all of ${table} for ${name}`)
  }
  for (const statement of migration.sql) {
    const table = /^\s*(?:--.*\n\s*)*(?:UPDATE|DELETE FROM) (?:ONLY )?"?(\w+)"?/i.exec(statement)?.[1]
    if (table && large.has(table)) findings.push(`changes the rows of ${table} in one statement`)
    for (const [, counted] of statement.matchAll(/count_table\('\w+',\s*'(\w+)'/g))
      if (large.has(counted!)) findings.push(`counts all of ${counted} while nobody can write to it`)
  }
  const text = migration.sql.join('\n')
  for (const [, kept] of text.matchAll(/keep_counts\('\w+',\s*'(\w+)'/g))
    if (large.has(kept!) && text.includes('count_present(')) findings.push(`counts while nobody can write to ${kept}`)
  return findings.toSorted()
}

async function apply(migration: MigrationMeta): Promise<string[]> {
  const before = await readRelations()
  await client.query(isConcurrent(migration) ? 'SELECT' : 'BEGIN')
  for (const statement of migration.sql) await client.query(statement)
  await client.query(isConcurrent(migration) ? 'SELECT' : 'COMMIT')
  return listFindings(migration, before, await readRelations())
}

const buildMigration = (...sql: string[]): MigrationMeta => ({
  sql,
  folderMillis: 0,
  hash: '',
  bps: true,
  name: 'made up',
})

test('no new migration holds up calls while it works through a large table', async () => {
  const found: Record<string, string[]> = {}
  for (const migration of readMigrationFiles({ migrationsFolder })) {
    const findings = await apply(migration)
    if (findings.length > 0 && migration.name >= judgedFrom) found[migration.name] = findings
  }
  expect(found, 'see docs/how-to.md, “Add a migration”').toEqual(
    Object.fromEntries(Object.entries(exceptions).map(([name, { findings }]) => [name, findings])),
  )
  const { rows } = await client.query<{ name: string }>(`SELECT relname AS name FROM pg_class WHERE relkind = 'r'`)
  expect(smallTables.filter((table) => !rows.some(({ name }) => name === table))).toEqual([])
})

test.each([
  ['a new column', 'ALTER TABLE members ADD COLUMN made_up int NOT NULL DEFAULT 1', []],
  ['a column of another type', 'ALTER TABLE members ALTER COLUMN made_up TYPE bigint', ['writes all of members again']],
  [
    'a column that is calculated',
    'ALTER TABLE members ADD COLUMN twice int GENERATED ALWAYS AS (version * 2) STORED',
    ['writes all of members again'],
  ],
  ['an index', 'CREATE INDEX made_up ON orders (version)', ['builds made_up while nobody can write to orders']],
  [
    'a check',
    'ALTER TABLE orders ADD CONSTRAINT made_up_check CHECK (version > 0)',
    ['checks all of orders for made_up_check'],
  ],
  [
    'a column that becomes not null',
    'ALTER TABLE audit_log ALTER COLUMN ip_address SET NOT NULL',
    ['checks all of audit_log for ip_address NOT NULL'],
  ],
  [
    'a change of all rows',
    'UPDATE members SET version = version + 1',
    ['changes the rows of members in one statement'],
  ],
  [
    'a list that is counted',
    "SELECT count_table('made_up', 'orders',\n  leaf => $$t.status$$, day => $$date 'epoch'$$);",
    ['counts all of orders while nobody can write to it'],
  ],
  [
    'a list whose rows are counted in the migration that makes its triggers',
    `SELECT keep_counts('made_up_too', 'orders', leaf => $$t.status$$, day => $$date 'epoch'$$);
    SELECT count_present('made_up_too', 'orders', leaf => $$t.status$$, day => $$date 'epoch'$$);`,
    ['counts while nobody can write to orders'],
  ],
  ['a check of new rows alone', 'ALTER TABLE members ADD CONSTRAINT made_up_too CHECK (version > 0) NOT VALID', []],
  ['a check of the rows before, by itself', 'ALTER TABLE members VALIDATE CONSTRAINT made_up_too', []],
  ['a new table', 'CREATE TABLE made_up_table (id int PRIMARY KEY, member_id text REFERENCES members)', []],
  [
    'a new table that is counted',
    `CREATE TABLE made_up_list (id int PRIMARY KEY);
    SELECT count_table('made_up_list', 'made_up_list', leaf => $$'all'$$, day => $$date 'epoch'$$);`,
    [],
  ],
  [
    'an index built concurrently',
    '-- concurrently\nCREATE INDEX CONCURRENTLY "made_up_too_index" ON members (version)',
    [],
  ],
])('%s is judged', async (_what, statement, findings) => {
  expect(await apply(buildMigration(statement))).toEqual(findings)
})

test('only indexes are made outside a transaction', () => {
  const concurrent = readMigrationFiles({ migrationsFolder }).filter(isConcurrent)
  for (const { name, sql } of concurrent) for (const statement of sql) readConcurrentStatement(name, statement)
  expect(() => readConcurrentStatement('one', 'CREATE INDEX CONCURRENTLY "a" ON b (c); DROP TABLE b')).toThrow(
    'one: each',
  )
  expect(readConcurrentStatement('one', '-- why\nDROP INDEX CONCURRENTLY "a";')).toEqual({ verb: 'DROP', index: 'a' })
})
