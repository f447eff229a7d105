import type { InferColumnsDataTypes } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'

/** The columns of a reply, by their names there. */
export type Columns = Record<string, AnyPgColumn>
export type RowOf<C extends Columns> = InferColumnsDataTypes<C>

/** SQL: an instant as ISO 8601 text in UTC, for statements without column readers. */
export const instant = (expression: string): string =>
  `to_char(${expression} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const asTextTypes = new Set(['numeric', 'bigint', 'date'])

/** Converts instants to ISO 8601 in UTC, and exact numbers, ids and dates to text, for rows and JSON alike. */
function columnExpression(column: AnyPgColumn, alias: string) {
  const name = `${alias}.${column.name}`
  const type = column.getSQLType()
  if (type.startsWith('timestamp')) return instant(name)
  return asTextTypes.has(type) ? `${name}::text` : name
}

/** The columns as SQL expressions by reply name, for statements written by hand. `RowOf` is the type of the row. */
export const expressions = (columns: Columns, alias: string): Record<string, string> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, columnExpression(column, alias)]))

/** A SELECT list of expressions by reply name. */
export const selectColumns = (select: Record<string, string>): string =>
  Object.entries(select)
    .map(([name, expression]) => `${expression} AS "${name}"`)
    .join(', ')

/** `json_build_object` of the columns, and of `more` expressions by name. */
export const jsonObject = (columns: Columns, alias: string, more: Record<string, string> = {}): string =>
  `json_build_object(${Object.entries({ ...expressions(columns, alias), ...more })
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`

/** A JSON array of the sums of a grouped query with `unit` and `amount`, the largest first, never of two units together. */
export const selectSums = (query: string): string =>
  `(SELECT coalesce(json_agg(json_build_object('unit', s.unit, 'amount', s.amount::text)
    ORDER BY s.amount DESC, s.unit), '[]') FROM (${query}) s)`

/** SQL: an amount as text of 2 to 5 places. */
export const formatMoney = (expression: string): string =>
  `round(${expression}, greatest(2, min_scale(${expression})))::text`
