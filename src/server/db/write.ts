import { getColumnTable, type GetColumnData, getTableColumns, sql, type SQL, type Table } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { Tx } from './client.ts'
import type { Columns } from './select.ts'

type OptionalName<C extends Columns> = {
  [Name in keyof C]: C[Name]['_'] extends { notNull: true; hasDefault: false } ? never : Name
}[keyof C]

/**
 * A row as a batch writes it, by the names that `C` gives its columns. What is absent or null becomes the column's default,
 * and NULL where it has none: an update wants rows that are whole.
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

/** The columns of a table that take a value: all but those that the database generates. */
export function writableColumns<T extends PgTable>(table: T): Pick<T['_']['columns'], WritableColumn<T>> {
  const columns = Object.entries<Columns[string]>(getTableColumns(table))
  return Object.fromEntries(columns.filter(([, column]) => !column.generated && !column.generatedIdentity)) as Pick<
    T['_']['columns'],
    WritableColumn<T>
  >
}

/** Another transaction was first with the same key. Carries the SQLSTATE of a conflict, so that `Database.transaction` starts again. */
export class KeyTakenError extends Error {
  readonly code = '40001'
}

const columnType = (column: Columns[string]) => `${column.getSQLType()}${'[]'.repeat(column.dimensions)}`
const list = (parts: readonly SQL[]) => sql.join([...parts], sql`, `)
const quoteName = (name: string) => sql.raw(`"${name}"`)
const castValue = (name: string) => sql.raw(`r."${name}"`)

/** The one table that all columns are of. */
function readTable(columns: Columns): Table {
  const tables = new Set(Object.values(columns).map((column) => getColumnTable(column)))
  const [table] = tables
  if (!table || tables.size > 1) throw new Error('a batch writes columns of one table')
  return table
}

/** Rows as the one parameter of the statement, which reads them as json: twice as quickly as jsonb. */
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

/** The value given, or the column's default. */
function readValue(name: string, column: Columns[string]): SQL {
  if (column.default === undefined) return castValue(name)
  return sql`coalesce(${castValue(name)}, ${column.default}::${sql.raw(columnType(column))})`
}

/**
 * An INSERT of these rows without its ON CONFLICT. Rows are added in the order of `by`: batches that share keys wait for
 * each other instead of ending in a deadlock.
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
  const done = await tx.execute<Record<string, unknown>>(sql`${buildInsert(columns, rows, by)} ON CONFLICT DO NOTHING`)
  if (done.rowCount !== rows.length) throw new KeyTakenError('another transaction was first with one of these keys')
}

/** Sets `columns` of the rows that `key` finds, in one statement. */
export async function updateRows<K extends Columns, C extends Columns>(
  tx: Tx,
  key: K,
  columns: C,
  rows: readonly (WrittenRow<C> & { [Name in keyof K]: GetColumnData<K[Name]> | null })[],
): Promise<void> {
  if (rows.length === 0) return
  const set = Object.entries(columns).map(([name, column]) => sql`${quoteName(column.name)} = ${castValue(name)}`)
  const found = Object.entries(key).map(([name, column]) => sql`t.${quoteName(column.name)} = ${castValue(name)}`)
  await tx.execute(sql`UPDATE ${readTable({ ...key, ...columns })} AS t SET ${list(set)}
    FROM ${recordset({ ...key, ...columns }, rows)} WHERE ${sql.join(found, sql` AND `)}`)
}

/** Adds rows in the order of `by`; of those whose `key` is there already, sets `update`. */
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
  /** Set where a value is given; null leaves the present one. */
  keep?: Partial<C>
}
