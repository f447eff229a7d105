import type { InferColumnsDataTypes } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** What a reply carries of a table: the reply's names, and the columns behind them. */
export type Columns = Record<string, AnyPgColumn>
export type RowOf<C extends Columns> = InferColumnsDataTypes<C>

/** An instant as it leaves SQL where no column's own reader turns it into one: ISO 8601 in UTC, as text. */
export const instant = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const asTextTypes = new Set(['numeric', 'bigint', 'date'])

/** Instants leave SQL as ISO 8601 in UTC, exact numbers, ids and dates as text: safe in rows and in JSON alike. */
function columnExpression(column: AnyPgColumn, alias: string) {
  const name = `${alias}.${column.name}`
  const type = column.getSQLType()
  if (type.startsWith('timestamp')) return instant(name)
  return asTextTypes.has(type) ? `${name}::text` : name
}

/** Columns as SQL expressions by reply name, for hand-written statements; reads as `RowOf` the same columns. */
export const expressions = (columns: Columns, alias: string): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, columnExpression(column, alias)]))

/** Expressions by reply name as the columns of a SELECT. */
export const selectColumns = (select: Record<string, string>): string =>
  Object.entries(select)
    .map(([name, expression]) => `${expression} AS "${name}"`)
    .join(', ')

/** `json_build_object` of the columns, and of `more` expressions by name, for a row inside a row. */
export const jsonObject = (columns: Columns, alias: string, more: Record<string, string> = {}): string =>
  `json_build_object(${Object.entries({ ...expressions(columns, alias), ...more })
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`
