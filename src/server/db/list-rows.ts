import type { SQL } from 'drizzle-orm'
import type * as z from 'zod/mini'
import { PlatformId, RowId } from '#contract/schemas/common.ts'
import { invalidField } from '#server/lib/errors.ts'
import { cleanSearchText } from '#server/lib/search-text.ts'
import { dayIn } from '#server/lib/calendar.ts'
import type { ListSums } from '#contract/schemas/views.ts'
import { bindValues } from './execute-prepared.ts'
import {
  bindFilters,
  type ListDesign,
  listHitConditions,
  type ListRequest,
  orderOf,
  type ListFilter,
  type Page,
} from './list.ts'
import { mostCounted, rowConditions, selectRowCount, selectTotal } from './list-totals.ts'
import type { Reads } from './reads.ts'

interface DayQuery {
  /** Days, both included. */
  from?: string | undefined
  to?: string | undefined
  /** The zone whose days they are. */
  timeZone?: string | undefined
}

/** The first day that begins at `$value` or later, and the day that has it. Counts are by days of UTC. */
const firstDay = `($value::timestamptz AT TIME ZONE 'UTC' + interval '1 day -1 microsecond')::date`
const lastDay = `($value::timestamptz AT TIME ZONE 'UTC')::date`
const startOf = (day: string) => `${day}::timestamp AT TIME ZONE 'UTC'`

/** Rows of these days of the operator's zone, by `created_at`, which the list is ordered by. */
export function filterDays({ from, to, timeZone = 'UTC' }: DayQuery): ListFilter[] {
  const after: Omit<ListFilter, 'value'> = {
    rows: 't.created_at >= $value',
    leaves: null,
    days: { whole: `day >= ${firstDay}`, rest: `t.created_at < ${startOf(firstDay)}` },
  }
  const before: Omit<ListFilter, 'value'> = {
    rows: 't.created_at < $value',
    leaves: null,
    days: { whole: `day < ${lastDay}`, rest: `t.created_at >= ${startOf(lastDay)}` },
  }
  return [
    ...(from ? [{ ...after, value: dayIn(timeZone, from).start }] : []),
    ...(to ? [{ ...before, value: dayIn(timeZone, to).end }] : []),
  ]
}

interface AmountQuery {
  min?: string | undefined
  max?: string | undefined
  currency?: string | undefined
}

/**
 * Rows whose amount is in this range, both ends included. Amounts of several currencies are not compared
 * (docs/decisions/093). Throws invalid.
 */
export function filterAmounts(money: ListDesign['money'] & object, { min, max, currency }: AmountQuery): ListFilter[] {
  if (money.currency && (min ?? max) !== undefined && !currency)
    throw invalidField('currency', 'must be given with min and max')
  const given = [
    [`${money.currency} = $value`, currency],
    [`${money.amount} >= $value::numeric`, min],
    [`${money.amount} <= $value::numeric`, max],
  ] as const
  return given.flatMap(([rows, value]) => (value === undefined ? [] : [{ rows, leaves: null, value }]))
}

/**
 * SQL: whether a key, of at most `length` characters, begins with `given`, as a range of its index: up to the key that goes on with the
 * highest digit. In every collation a text stands before those that it begins.
 */
export const keyBegins = (column: string, given: string, length: number, highest: '9' | 'f'): string =>
  `(${column} BETWEEN ${given} AND rpad(${given}, ${length}, '${highest}') AND starts_with(${column}, ${given}))`

/** The condition of a request without pages, and the values of its parameters. */
export function buildCondition({ list, filters: given, typed }: ListRequest) {
  const text = typed && cleanSearchText(typed)
  const { filters, values } = bindFilters(given, text ? 1 : 0)
  if (!text) return { condition: rowConditions(filters), values }
  const conditions = listHitConditions(list, filters, false).map((condition) => `(${condition})`)
  return { condition: conditions.join(' OR '), values: [text, ...values] }
}

/** The form of a list's ids, and their type in the database. */
export interface IdForm {
  schema: z.ZodMiniType<string>
  type: 'text' | 'bigint'
}
export const rowIds: IdForm = { schema: RowId, type: 'bigint' }
export const platformIds: IdForm = { schema: PlatformId, type: 'text' }

/** Those of the rows that have these ids. Throws invalid for what can be none. */
export function pickRows(asked: ListRequest, { schema, type }: IdForm, ids: readonly string[]): ListRequest {
  const unfit = ids.findIndex((id) => !schema.safeParse(id).success)
  if (unfit >= 0) throw invalidField(`ids.${unfit}`, 'must be the id of a row of this list')
  // No id has a comma in it.
  const rows = `t.id = ANY (string_to_array($value, ',')::${type}[])`
  return { ...asked, filters: [...asked.filters, { rows, leaves: null, value: ids.join(',') }] }
}

/** All requested rows in the list's order, for a statement that selects from them. */
export function selectAllRows(asked: ListRequest): SQL {
  const { condition, values } = buildCondition(asked)
  return bindValues(`FROM ${asked.list.table} t WHERE ${condition} ORDER BY ${orderOf(asked.list)}`, values)
}

/** The number of requested rows, counted one by one. */
export async function countList(reads: Reads, asked: ListRequest): Promise<number> {
  const { condition, values } = buildCondition(asked)
  const text = `SELECT count(*) AS total FROM ${asked.list.table} t WHERE ${condition}`
  const { rows } = await reads.query<{ total: string }>({ text, values })
  return Number(rows[0]!.total)
}

/** What the requested rows are together, by currency, the largest number of rows first. None without money. */
export async function sumList(reads: Reads, asked: ListRequest): Promise<ListSums['sums']> {
  const { money, table } = asked.list
  if (!money) return []
  const { condition, values } = buildCondition(asked)
  const rows =
    asked.sums ??
    `SELECT ${money.currency ?? 'NULL'} AS currency, ${money.amount} AS amount, 1 AS rows
      FROM ${table} t WHERE ${condition}`
  const text = `SELECT currency, sum(amount)::text AS amount FROM (${rows}) m
    GROUP BY currency ORDER BY sum(rows) DESC, currency`
  return (await reads.query<ListSums['sums'][number]>({ text, values: asked.sums ? [] : values })).rows
}

/** The number of requested rows, counted as far as for a page. */
export async function countForPage(reads: Reads, asked: ListRequest): Promise<Omit<Page<never>, 'rows'>> {
  const { list, filters, typed } = asked
  const { condition, values } = buildCondition(asked)
  const isSearch = typed !== undefined && cleanSearchText(typed) !== ''
  const text = isSearch
    ? selectRowCount(list, condition, mostCounted)
    : selectTotal(list, bindFilters(filters, 0).filters, mostCounted)
  const { rows } = await reads.query<{ total: string; totalExact: boolean }>({ text, values })
  const { total, totalExact } = rows[0]!
  return { total: Number(total), totalExact }
}
