import type { ListDesign, ListFilter } from './list.ts'

/** So many rows are counted one by one for a page, and so many where a total is asked for (product 4.5). */
export const mostCounted = 10_000
export const mostCountedExactly = 1_000_000

export const joinConditions = (conditions: string[]) =>
  conditions.length > 0 ? conditions.map((c) => `(${c})`).join(' AND ') : 'true'
export const rowConditions = (filters: ListFilter[]) => joinConditions(filters.map((filter) => filter.rows))
/** Whether all rows that match are counted beforehand. */
export const isCounted = (filters: ListFilter[]) => filters.every((filter) => filter.leaves !== null)

/** The counts of the matching leaves, folded and not yet, in one snapshot, so always exact. */
export function selectCounts(
  list: ListDesign,
  filters: ListFilter[],
  folded: 'list_totals' | 'list_days',
  columns: string,
) {
  const days = filters.flatMap((filter) => filter.days?.whole ?? [])
  const leaves = joinConditions([`list = '${list.name}'`, ...filters.flatMap((filter) => filter.leaves ?? []), ...days])
  return `SELECT ${columns} FROM ${folded} WHERE ${leaves} UNION ALL SELECT ${columns} FROM list_deltas WHERE ${leaves}`
}

const selectSum = (...counts: Parameters<typeof selectCounts>) =>
  `SELECT coalesce(sum(rows), 0) AS total, true AS "totalExact" FROM (${selectCounts(...counts)}) c`

/** Counts rows one by one, up to `most`. */
export const selectRowCount = ({ table }: ListDesign, condition: string, most: number) =>
  `SELECT least(count(*), ${most}) AS total, count(*) <= ${most} AS "totalExact"
    FROM (SELECT FROM ${table} t WHERE ${condition} LIMIT ${most + 1}) c`

/** The sum of such selections. */
export const selectTogether = (parts: string[]) =>
  `SELECT sum(total) AS total, bool_and("totalExact") AS "totalExact" FROM (${parts.join(' UNION ALL ')}) p`

/** SQL: `total` of the rows that the filters let through. It is exact, or one by one no more than `most` were counted. */
export function selectTotal(list: ListDesign, filters: ListFilter[], most: number): string {
  if (isCounted(filters)) return selectSum(list, filters, 'list_totals', 'rows')
  const [only, ...others] = filters.filter((filter) => filter.rows !== 'true')
  if (only?.total && others.length === 0) return `SELECT ${only.total} AS total, true AS "totalExact"`
  if (!list.name || !isCounted(filters.filter(({ days }) => !days)))
    return selectRowCount(list, rowConditions(filters), most)
  // The whole days from their counts, and what stands before and after them by the index of the order.
  const rests = filters.flatMap(({ days }) => days?.rest ?? [])
  const ends = rests.map((rest, at) => [rest, ...rests.slice(0, at).map((other) => `NOT (${other})`)])
  return selectTogether([
    selectSum(list, filters, 'list_days', 'rows'),
    ...ends.map((end) => selectRowCount(list, joinConditions([rowConditions(filters), ...end]), most)),
  ])
}
