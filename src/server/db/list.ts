import type pg from 'pg'
import { cleanSearchText } from '#server/lib/search-text.ts'
import { findMembers } from './found-members.ts'
import {
  isCounted,
  joinConditions,
  mostCounted,
  mostCountedExactly,
  rowConditions,
  selectCounts,
  selectRowCount,
  selectTogether,
  selectTotal,
} from './list-totals.ts'
import type { Reads } from './reads.ts'
import { selectColumns } from './select.ts'

/**
 * A long list, newest first if not said otherwise, that keeps its page and exact total quick as its table grows. Statement triggers count its
 * rows by leaf and day, as `declareCounts` says; the design says how a page is read.
 */
export interface ListDesign {
  /** What its rows are counted under (`Counts.list`); absent where all its filters are counted row by row. */
  name?: string
  /** Stands as `t` in every expression. */
  table: string
  /** The list's order, then by `id`. Rows are counted by its UTC day. Needs an index (instant, id). */
  at: string
  /** Reply names and SQL expressions over `t` and `join`. */
  select: Record<string, string>
  join?: string
  /** Whether a row matches the searched text, `$1`. */
  matches?: string
  /** Whether `matches` tells it by the row's member, `t.member_id`. */
  isFoundByMember?: true
  /** Whether the searched text, `$1`, is a key of the row. Each condition has its own index. */
  keys?: string[]
  /** The amount of a row and its currency, of which rows are summed; null: amounts have no currency. */
  money?: { amount: string; currency: string | null }
  /** The order that is asked for, newest first if absent. */
  order?: ListOrder
}

/**
 * An order of rows, as one index has it: by these expressions over `t`, then by the list's instant and by id, all of them
 * in one direction. Only the list's own instant has counts by day; in another order a deep page is found by scanning.
 */
export interface ListOrder {
  by?: readonly string[]
  isAscending?: boolean
}

/** The orders that the index of every list carries. */
export const dateOrders = { newest: {}, oldest: { isAscending: true } } as const satisfies Record<string, ListOrder>

/**
 * Which rows (`t`) a filter lets through, and where its total comes from: `leaves` are those that the rows are counted under,
 * made by `Counts.filter`. Null counts row by row, up to a bound, what is found by an index of its own.
 * `$value` in `rows` stands for `value`, which is sent as a parameter.
 */
export interface ListFilter {
  rows: string
  leaves: string | null
  value?: string
  /** The conditions hold one of many values, such as an id: statements with them are not kept by name. */
  hasOpenValue?: true
  /** Its total where no other filter is asked for, counted beforehand under another list. */
  total?: string
  /** Conditions of a range of the list's instant: that it has the whole `day` of a count, and that a row is of no such day. */
  days?: { whole: string; rest: string }
}

export interface PageRequest {
  page: number
  limit: number
  filters?: ListFilter[]
  /** Waits for the total of more rows. */
  total?: 'exact' | undefined
}
export interface Page<Row> {
  rows: Row[]
  total: number
  /** Whether no others match. */
  totalExact: boolean
}

/** From this offset on, finding a page by its day is faster than scanning to it. */
const deepOffset = 5000
/** A search with more hits need not be counted to the end (product 4.5). */
const searchCap = 1000

/** Filters with numbered parameters after the first `before`, and their values. */
export function bindFilters(filters: ListFilter[], before: number): { filters: ListFilter[]; values: string[] } {
  const values = filters.flatMap(({ value }) => value ?? [])
  let next = before
  const bound = filters.map((filter) => {
    if (filter.value === undefined) return filter
    next += 1
    const bind = (condition: string) => condition.replaceAll('$value', `$${next}`)
    const { rows, days } = filter
    return { ...filter, rows: bind(rows), ...(days && { days: { whole: bind(days.whole), rest: bind(days.rest) } }) }
  })
  return { filters: bound, values }
}
const directionOf = ({ order }: ListDesign) => (order?.isAscending ? 'ASC' : 'DESC')
/** What the rows are ordered by, one after the other. */
const orderKeys = ({ order, at }: ListDesign) => [...(order?.by ?? []), `t.${at}`, 't.id']
const orderBy = (list: ListDesign, keys: readonly string[]) =>
  keys.map((key) => `${key} ${directionOf(list)}`).join(', ')
/** The list's order, for ORDER BY. */
export const orderOf = (list: ListDesign) => orderBy(list, orderKeys(list))
/** The order's keys under names of their own, for what selects from a selection. */
const selectKeys = (list: ListDesign) =>
  orderKeys(list)
    .map((key, at) => `${key} AS walk_${at}`)
    .join(', ')
const namedKeys = (list: ListDesign, from: string) => orderKeys(list).map((_, at) => `${from}.walk_${at}`)

/** `total` and the rows of the page. A page without rows is one row of nulls. */
function buildPageStatement(list: ListDesign, parts: { before?: string; total: string; rows: string }) {
  const names = Object.keys(list.select).map((name) => `p."${name}"`)
  return `${parts.before ? `WITH ${parts.before}` : ''}
    SELECT counted.total, counted."totalExact", p.found, ${names.join(', ')}
    FROM (${parts.total}) counted LEFT JOIN LATERAL (${parts.rows}) p ON true
    ORDER BY ${orderBy(list, namedKeys(list, 'p'))}`
}

function buildRowsStatement(list: ListDesign, condition: string, limit: string) {
  return `SELECT true AS found, ${selectKeys(list)}, ${selectColumns(list.select)}
    FROM ${list.table} t ${list.join ?? ''} WHERE ${condition} ORDER BY ${orderOf(list)} LIMIT ${limit}`
}

/** The day that contains row `$1`, and the number of rows before that day. */
const selectDayOfOffset = (list: ListDesign, filters: ListFilter[]) => `walked AS (
    SELECT day, rows, sum(rows) OVER (ORDER BY day ${directionOf(list)}) AS until
    FROM (SELECT day, sum(rows) AS rows FROM (${selectCounts(list, filters, 'list_days', 'day, rows')}) c GROUP BY day) d
  ), start_day AS (SELECT day, until - rows AS before FROM walked WHERE until > $1::bigint ORDER BY day ${directionOf(list)} LIMIT 1)`

/** The key of the page's first row, so that the page itself is a short index scan. */
function selectFirstKey(list: ListDesign, filters: ListFilter[], isDeep: boolean) {
  const walk = (from: string, condition: string, offset: string) =>
    `first_key AS MATERIALIZED (SELECT ${selectKeys(list)} FROM ${from}${list.table} t
      WHERE ${condition} ORDER BY ${orderOf(list)} OFFSET ${offset} LIMIT 1)`
  const rows = rowConditions(filters)
  if (!isDeep) return walk('', rows, '$1::bigint')
  const inDay = list.order?.isAscending
    ? `t.${list.at} >= (SELECT day::timestamp AT TIME ZONE 'UTC' FROM start_day) AND ${rows}`
    : `t.${list.at} < (SELECT (day + 1)::timestamp AT TIME ZONE 'UTC' FROM start_day) AND ${rows}`
  return `${selectDayOfOffset(list, filters)}, ${walk('', inDay, '(SELECT $1::bigint - before FROM start_day)')}`
}

// The first pages are read all the time, so their statements are named and PostgreSQL plans each once. Limits are literals,
// because a plan for any limit assumes a tenth of the table.
const namedLimits = new Set([5, 50])
const statementNames = new Map<string, string>()
function statementName(text: string) {
  const name = statementNames.get(text) ?? `list_${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

type WireRow<Row> = Row & { total: string; totalExact: boolean; found: true | null }

function readRows<Row>(rows: WireRow<Row>[]): Page<Row> {
  const { total, totalExact } = rows[0]!
  return { total: Number(total), totalExact, rows: rows.filter((row) => row.found) }
}

/** The statement of `readPage`. */
export function pageQuery(list: ListDesign, { page, limit, filters: given = [], total }: PageRequest): pg.QueryConfig {
  const offset = (page - 1) * limit
  const { filters, values } = bindFilters(given, offset > 0 ? 1 : 0)
  const firstKey = namedKeys(list, 'first_key').map((key) => `(SELECT ${key} FROM first_key)`)
  const isFromStart = `(${orderKeys(list).join(', ')}) ${list.order?.isAscending ? '>=' : '<='} (${firstKey.join(', ')})`
  const conditions = joinConditions([...filters.map((filter) => filter.rows), ...(offset > 0 ? [isFromStart] : [])])
  const text = buildPageStatement(list, {
    ...(offset > 0 && {
      before: selectFirstKey(list, filters, isCounted(filters) && !list.order?.by && offset >= deepOffset),
    }),
    total: selectTotal(list, filters, total === 'exact' ? mostCountedExactly : mostCounted),
    rows: buildRowsStatement(list, conditions, String(limit)),
  })
  const offsets = offset > 0 ? [offset] : []
  const isNamed = namedLimits.has(limit) && !filters.some(({ hasOpenValue }) => hasOpenValue)
  return { text, values: [...offsets, ...values], ...(isNamed && { name: statementName(text) }) }
}

/** Reads one page and the total in one statement. A page beyond the end is empty and has the total too. */
export async function readPage<Row>(reads: Reads, list: ListDesign, wanted: PageRequest): Promise<Page<Row>> {
  const { rows } = await reads.query<WireRow<Row>>(pageQuery(list, wanted))
  return readRows(rows)
}

/** The conditions of a hit, each with its own index. A row may be a hit by several, but for those that exclude each other. */
export function listHitConditions(
  { matches = 'false', keys = [] }: ListDesign,
  filters: ListFilter[],
  excludeEachOther: boolean,
): string[] {
  const narrowed = filters.map((filter) => filter.rows)
  const ways = [matches, ...keys]
  return ways.map((way, at) => {
    const others = excludeEachOther ? ways.slice(0, at).map((other) => `(${other}) IS NOT TRUE`) : []
    return joinConditions([way, ...others, ...narrowed])
  })
}

/**
 * Ids and order of the first hits. A row that is a hit in several ways is taken once from their merged order: to exclude it, the
 * planner would estimate the searched text once more for each way.
 */
function selectHits(list: ListDesign, filters: ListFilter[], limit: string): string {
  const ways = listHitConditions(list, filters, false).map(
    (condition) => `SELECT t.id, ${selectKeys(list)} FROM ${list.table} t
      WHERE ${condition} ORDER BY ${orderOf(list)} LIMIT ${limit}`,
  )
  if (ways.length === 1) return ways[0]!
  const all = ways.map((one) => `(${one})`).join(' UNION ALL ')
  const keys = namedKeys(list, 'h')
  return `SELECT DISTINCT ON (${keys.join(', ')}) h.* FROM (${all}) h ORDER BY ${orderBy(list, keys)} LIMIT ${limit}`
}

function findMembersOf(reads: Reads, { table }: ListDesign, wanted: PageRequest & { typed: string }) {
  const { filters, values } = bindFilters(wanted.filters ?? [], 1)
  return findMembers(reads, wanted.typed, { table, condition: rowConditions(filters), values }, searchCap)
}

/**
 * One page of a search. The total is exact up to `searchCap` hits. Beyond, it is the cap and `totalExact` is false, unless
 * it is asked for. Unnamed, because a plan that ignores the searched text scans the table for every rare word.
 */
export async function searchPage<Row>(
  reads: Reads,
  given: ListDesign,
  wanted: PageRequest & { typed: string },
): Promise<Page<Row>> {
  const { page, limit, typed } = wanted
  const isTotalWanted = wanted.total === 'exact'
  const { filters, values } = bindFilters(wanted.filters ?? [], 3)
  // A filter that lets few rows through finds them itself.
  const isByMember = given.isFoundByMember && !isTotalWanted && isCounted(filters)
  const found = isByMember ? await findMembersOf(reads, given, wanted) : undefined
  const isOfFound = `t.member_id = ANY ($${4 + values.length}::text[]) AND $1::text IS NOT NULL`
  const list = found?.ids ? { ...given, matches: isOfFound } : given
  const offset = (page - 1) * limit
  const mostHits = isTotalWanted || found?.hasMore ? offset + limit : Math.max(searchCap + 1, offset + limit)
  const text = buildPageStatement(list, {
    before: `hits AS MATERIALIZED (${selectHits(list, filters, '$3::bigint')})`,
    total: isTotalWanted
      ? selectTogether(
          listHitConditions(list, filters, true).map((each) => selectRowCount(list, each, mostCountedExactly)),
        )
      : `SELECT count(*) AS total, count(*) < $3::bigint AS "totalExact" FROM hits`,
    rows: buildRowsStatement(
      list,
      `t.id IN (SELECT h.id FROM hits h ORDER BY ${orderBy(list, namedKeys(list, 'h'))} OFFSET $2::bigint LIMIT ${limit})`,
      String(limit),
    ),
  })
  const { rows } = await reads.query<WireRow<Row>>({
    text,
    values: [typed, offset, mostHits, ...values, ...(found?.ids ? [found.ids] : [])],
  })
  const read = readRows<Row>(rows)
  return read.totalExact || isTotalWanted ? read : { ...read, total: searchCap }
}

/** The request of a list: which rows of which list. Its pages and its export use the same. */
export interface ListRequest {
  list: ListDesign
  filters: ListFilter[]
  /** Removes what copying added. If nothing is left, there is no search. */
  typed?: string | undefined
  /** SQL that selects `currency` and `amount` of the requested rows from sums that were made beforehand. */
  sums?: string | undefined
}

/** Reads one page in its envelope (product 8.3, 4.4). */
export async function readList<Row>(
  reads: Reads,
  { list, filters, typed }: ListRequest,
  { page, limit, total }: Omit<PageRequest, 'filters'>,
): Promise<Page<Row> & { page: number; limit: number }> {
  const text = typed && cleanSearchText(typed)
  const wanted = { page, limit, filters, total }
  const read = text
    ? await searchPage<Row>(reads, list, { ...wanted, typed: text })
    : await readPage<Row>(reads, list, wanted)
  return { ...read, page, limit }
}
