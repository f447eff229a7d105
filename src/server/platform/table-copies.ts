import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import type { ImportLine } from '#contract/schemas/platform.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { createSlots } from '#server/lib/concurrency-limit.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Line } from './write-lines.ts'

// Each holds a connection outside the pool, and disk space of the database.
const enterAny = createSlots(4, 'Too many dry runs at once on this server; try again when one has ended')
const enterOfKey = createSlots(2, 'Too many dry runs at once with this key; try again when one has ended')

/** The first id of new rows in a dry run, far from real ids. */
const firstId = 1e15

/** The values of an import line by which its service reads each table. */
const lookups: { table: string; column: string; keysOf: (line: ImportLine) => string | undefined }[] = [
  { table: 'members', column: 'id', keysOf: (line) => (line.type === 'member' ? line.id : memberOf(line)) },
  { table: 'members', column: 'fold_name(email)', keysOf: (line) => (line.type === 'member' ? line.email : undefined) },
  {
    table: 'wallets',
    column: 'address',
    keysOf: (line) => (line.type === 'wallet' ? line.address.toLowerCase() : undefined),
  },
  { table: 'orders', column: 'order_number', keysOf: (line) => (line.type === 'order' ? line.orderNumber : undefined) },
  {
    table: 'platform_transactions',
    column: 'id',
    keysOf: (line) => (line.type === 'transaction' ? line.id : undefined),
  },
  { table: 'fractions', column: 'id', keysOf: (line) => (line.type === 'fraction' ? line.id : undefined) },
  {
    table: 'tokens',
    column: 'contract_address',
    keysOf: (line) => (line.type === 'token' ? line.contractAddress.toLowerCase() : undefined),
  },
  {
    table: 'chain_transactions',
    column: 'transaction_hash',
    keysOf: (line) => (line.type === 'chainTransaction' ? line.transactionHash.toLowerCase() : undefined),
  },
  ...['kyc_step2', 'kyc_step3', 'kyc_step4', 'kyc_submissions', 'kyc_verifications'].map((table) => ({
    table,
    column: 'member_id',
    keysOf: (line: ImportLine) => (line.type === 'kyc' ? line.memberId : undefined),
  })),
]
/** Tables that are written and never read, so an empty copy is enough. */
const writeOnlyTables = ['messages', 'kyc_claims', 'kyc_another_looks', 'transfer_labels_due']
const tables = [...new Set([...lookups.map(({ table }) => table), ...writeOnlyTables])]

const memberOf = (line: ImportLine) => ('memberId' in line ? line.memberId : undefined)

/** Copies of the tables for one dry run. */
export interface TableCopies {
  /** The context in which services use the copies. */
  ctx: Ctx
  /** Copies the rows that these lines need. Rows that the run has changed stay. */
  copyRows: (tx: Tx, lines: readonly Line[]) => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens temporary tables that hide the real ones from one connection. The same services run on copies of the rows that
 * an import needs, and nothing is stored (docs/decisions/017). PostgreSQL refuses other writes on this connection, so
 * that it takes no lock and no sequence number from others. Throws overloaded.
 */
export async function openTableCopies(ctx: Ctx): Promise<TableCopies> {
  const leave = [enterOfKey(`${ctx.actor.kind}:${ctx.actor.name}`)]
  let client: pg.Client | undefined
  const close = async () => {
    await client?.end().catch(() => {})
    for (const each of leave) each()
  }
  try {
    leave.push(enterAny(''))
    client = await connectOnce({ ...ctx.database.session, keepAlive: true })
    const columns = await createCopies(client)
    const db = drizzle({ client })
    const database = { ...ctx.database, transaction: <T>(work: (tx: Tx) => Promise<T>) => db.transaction(work) }
    return { ctx: { ...ctx, isDryRun: true, database }, copyRows: (tx, lines) => copyRows(tx, columns, lines), close }
  } catch (error) {
    await close()
    throw error
  }
}

interface CopyColumns {
  schema: string
  /** The columns of each table that can be copied: all except generated ones. */
  of: Map<string, string>
}

/** Creates empty copies with the checks and unique keys of the tables. Returns the columns to copy. */
async function createCopies(client: pg.Client): Promise<CopyColumns> {
  const { rows } = await client.query<{ schema: string; table: string; columns: string; identity: string | null }>(
    `SELECT quote_ident(current_schema()) AS schema, table_name AS table,
      string_agg(quote_ident(column_name), ', ') FILTER (WHERE is_generated = 'NEVER') AS columns,
      min(quote_ident(column_name)) FILTER (WHERE is_identity = 'YES') AS identity
    FROM information_schema.columns
    WHERE table_schema = current_schema() AND table_name = ANY($1) GROUP BY table_name`,
    [tables],
  )
  for (const { schema, table, identity } of rows) {
    const like = 'INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING IDENTITY INCLUDING CONSTRAINTS INCLUDING INDEXES'
    await client.query(`CREATE TEMP TABLE ${table} (LIKE ${schema}.${table} ${like})`)
    if (identity) await client.query(`ALTER TABLE pg_temp.${table} ALTER COLUMN ${identity} RESTART WITH ${firstId}`)
  }
  // Membership ids continue from the real sequence, without advancing it. A real approval may get the same id, so the
  // copies drop that key, and also the indexes that only lists and searches need.
  const { schema } = rows[0]!
  await client.query(`
    CREATE TEMP SEQUENCE membership_numbers;
    SELECT setval('pg_temp.membership_numbers', last_value, is_called) FROM ${schema}.membership_numbers;
    DO $$ DECLARE name text; BEGIN
      FOR name IN SELECT conname FROM pg_constraint WHERE conrelid = 'pg_temp.members'::regclass AND contype = 'u'
      LOOP EXECUTE format('ALTER TABLE pg_temp.members DROP CONSTRAINT %I', name); END LOOP;
      FOR name IN SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE c.relnamespace = pg_my_temp_schema() AND NOT i.indisunique AND c.relpersistence = 't'
          AND i.indrelid <> ALL (SELECT oid FROM pg_class WHERE relkind = 't')
      LOOP EXECUTE format('DROP INDEX pg_temp.%I', name); END LOOP;
    END $$;
    SET SESSION CHARACTERISTICS AS TRANSACTION READ ONLY`)
  return { schema, of: new Map(rows.map(({ table, columns }) => [table, columns])) }
}

/** Copies the rows that a batch needs. A row that is already copied stays. */
async function copyRows(tx: Tx, { schema, of }: CopyColumns, lines: readonly Line[]): Promise<void> {
  for (const { table, column, keysOf } of lookups) {
    const keys = new Set(lines.map(({ value }) => keysOf(value)).filter((key) => key !== undefined))
    if (keys.size === 0) continue
    const list = sql.raw(of.get(table)!)
    const given = column.startsWith('fold_name') ? sql`SELECT fold_name(key)` : sql`SELECT key`
    await tx.execute(sql`
      INSERT INTO pg_temp.${sql.raw(table)} (${list}) OVERRIDING SYSTEM VALUE
      SELECT ${list} FROM ${sql.raw(`${schema}.${table}`)}
      WHERE ${sql.raw(column)} = ANY(ARRAY(${given} FROM unnest(${textArray(keys)}) AS key))
      ON CONFLICT DO NOTHING`)
  }
}
