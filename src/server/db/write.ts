import { getColumnTable, type GetColumnData, getTableColumns, sql, type SQL, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import { executePrepared } from './execute-prepared.ts'
import type { Columns } from './select.ts'

type OptionalName<C extends Columns> = {
  [Name in keyof C]: C[Name]['_'] extends { notNull: true; hasDefault: false } ? never : Name
}[keyof C]

/**
 * A row of a batch, by the names of `C`. Absent and null values become the column's default, or NULL without one.
 * Updates need complete rows.
 */
export type WrittenRow<C extends Columns> = {
  [Name in Exclude<keyof C, OptionalName<C>>]: GetColumnData<C[Name]>
} & { [Name in OptionalName<C>]?: GetColumnData<C[Name]> | null }

type WritableColumn<T extends PgTable> = {
  [Name in keyof T['_']['columns']]: T['_']['columns'][Name]['_'] extends
    | { identity: 'always' }
    | { generated: { type: 'always' } }
    ? never
    : Name
}[keyof T['_']['columns']]

/** The columns of a table that can be written: all except generated ones. */
export function writableColumns<T extends PgTable>(table: T): Pick<T['_']['columns'], WritableColumn<T>> {
  const columns = Object.entries<Columns[string]>(getTableColumns(table))
  return Object.fromEntries(columns.filter(([, column]) => !column.generated && !column.generatedIdentity)) as Pick<
    T['_']['columns'],
    WritableColumn<T>
  >
}

/** Another transaction took the key. Has the SQLSTATE of a conflict, so that `Database.transaction` starts again. */
export class KeyTakenError extends Error {
  readonly code = '40001'
}

const columnType = (column: Columns[string]) => `${column.getSQLType()}${'[]'.repeat(column.dimensions)}`
const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const quoteName = (name: string) => sql.raw(`"${name}"`)
const castValue = (name: string) => sql.raw(`r."${name}"`)

/** The common table of the columns. */
function readTable(columns: Columns): Table {
  const tables = new Set(Object.values(columns).map((column) => getColumnTable(column)))
  const [table] = tables
  if (!table || tables.size > 1) throw new Error('a batch writes columns of one table')
  return table
}

/** Rows as one JSON parameter, which is twice as fast as jsonb. */
function recordset(columns: Columns, rows: readonly object[]): SQL {
  const binary = Object.keys(columns).filter((name) => columnType(columns[name]!) === 'bytea')
  const read = binary.length === 0 ? rows : rows.map((row) => encodeBytes(row as Record<string, unknown>, binary))
  const types = Object.entries(columns).map(([name, column]) => sql.raw(`"${name}" ${columnType(column)}`))
  return sql`json_to_recordset(${JSON.stringify(read)}::json) AS r(${list(types)})`
}

const encodeBytes = (row: Record<string, unknown>, names: readonly string[]) => ({
  ...row,
  ...Object.fromEntries(names.map((name) => [name, row[name] && `\\x${(row[name] as Buffer).toString('hex')}`])),
})

/** The given value, or the column's default. */
function readValue(name: string, column: Columns[string]): SQL {
  if (column.default === undefined) return castValue(name)
  return sql`coalesce(${castValue(name)}, ${column.default}::${sql.raw(columnType(column))})`
}

/**
 * An INSERT of these rows without its ON CONFLICT, in the order of `by`, so that batches with common keys wait for each
 * other instead of deadlocking.
 */
export function buildInsert<C extends Columns>(
  columns: C,
  rows: readonly WrittenRow<C>[],
  by: readonly (keyof C & string)[],
): SQL {
  const entries = Object.entries<Columns[string]>(columns)
  return sql`INSERT INTO ${readTable(columns)} (${list(entries.map(([, column]) => quoteName(column.name)))})
    SELECT ${list(entries.map(([name, column]) => readValue(name, column)))}
    FROM ${recordset(columns, rows)} ORDER BY ${list(by.map(castValue))}`
}

/** Adds all rows in one statement. Throws KeyTakenError if one of their keys is taken meanwhile. */
export async function insertRows<C extends Columns>(
  tx: Tx,
  columns: C,
  rows: readonly WrittenRow<C>[],
  by: readonly (keyof C & string)[],
): Promise<void> {
  if (rows.length === 0) return
  const done = await executePrepared(tx, sql`${buildInsert(columns, rows, by)} ON CONFLICT DO NOTHING`)
  if (done.rowCount !== rows.length) throw new KeyTakenError('another transaction was first with one of these keys')
}

/** Sets `columns` of the rows with these keys, in one statement. */
export async function updateRows<K extends Columns, C extends Columns>(
  tx: Tx,
  key: K,
  columns: C,
  rows: readonly (WrittenRow<C> & { [Name in keyof K]: GetColumnData<K[Name]> | null })[],
): Promise<void> {
  if (rows.length === 0) return
  const set = Object.entries(columns).map(([name, column]) => sql`${quoteName(column.name)} = ${castValue(name)}`)
  const found = Object.entries(key).map(([name, column]) => sql`t.${quoteName(column.name)} = ${castValue(name)}`)
  const update = sql`UPDATE ${readTable({ ...key, ...columns })} AS t SET ${list(set)}
    FROM ${recordset({ ...key, ...columns }, rows)} WHERE ${sql.join(found, sql` AND `)}`
  await executePrepared(tx, update)
}

/** Inserts rows in the order of `by`. Rows whose `key` exists get `update`. */
export async function upsertRows<C extends Columns>(
  tx: Tx,
  columns: C,
  rows: readonly WrittenRow<C>[],
  { by, key, update, keep = {} }: Upsert<C>,
): Promise<void> {
  if (rows.length === 0) return
  const set = Object.values(update as Columns).map(({ name }) => sql`${quoteName(name)} = excluded.${quoteName(name)}`)
  const kept = Object.values(keep as Columns).map(
    (column) => sql`${quoteName(column.name)} = coalesce(excluded.${quoteName(column.name)}, ${column})`,
  )
  await tx.execute(sql`${buildInsert(columns, rows, by)}
    ON CONFLICT (${list(key.map((name) => quoteName(columns[name]!.name)))}) DO UPDATE SET ${list([...set, ...kept])}`)
}

interface Upsert<C extends Columns> {
  by: readonly (keyof C & string)[]
  key: readonly (keyof C & string)[]
  update: Partial<C>
  /** Sets a value if given. Null keeps the present one. */
  keep?: Partial<C>
}
