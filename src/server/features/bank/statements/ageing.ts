import { lineAgeDays, lineAges, type BankDirection, type LineAge } from '#contract/bank.ts'
import type { ListFilter } from '#server/db/list.ts'
import { formatMoney } from '#server/db/select.ts'

const isOpenLine = `t.state IN ('open', 'part')`

/** The first instant of the day that many days ago. */
const startOfDay = (daysAgo: number) => `((now() AT TIME ZONE 'UTC')::date - ${daysAgo})::timestamp AT TIME ZONE 'UTC'`

/** Whether the line `t` is of this age: it is as old as the oldest day of it, and older than the age before. */
function isOfAge(age: LineAge): string {
  const before = lineAges[lineAges.indexOf(age) - 1]
  return [
    ...(age === 'older' ? [] : [`t.listed_at >= ${startOfDay(lineAgeDays[age])}`]),
    ...(before === undefined || before === 'older' ? [] : [`t.listed_at < ${startOfDay(lineAgeDays[before])}`]),
  ].join(' AND ')
}

/** The work of one age. There is little work, found by an index of its own, so that it is counted row by row. */
export const filterAge = (age: LineAge): ListFilter => ({ rows: `${isOpenLine} AND ${isOfAge(age)}`, leaves: null })

function describeGroup(age: LineAge): string {
  const sum = (direction: BankDirection) =>
    formatMoney(
      `coalesce(sum(t.amount - t.allocated) FILTER (WHERE ${isOfAge(age)} AND t.direction = '${direction}'), 0)`,
    )
  return `json_build_object('age', '${age}', 'count', (count(*) FILTER (WHERE ${isOfAge(age)}))::int,
    'credits', ${sum('credit')}, 'debits', ${sum('debit')})`
}

const groups = `json_build_array(${lineAges.map(describeGroup).join(', ')})`

/** SQL: what of each account's money has no purpose yet, by the age of its lines (product 6.11). Accounts without work have no row. */
export const selectAgeing = `SELECT t.account_id, ${groups} AS ageing FROM bank_lines t WHERE ${isOpenLine} GROUP BY 1`

/** SQL: the groups of an account without work. */
export const noAgeing = `json_build_array(${lineAges
  .map((age) => `json_build_object('age', '${age}', 'count', 0, 'credits', '0.00', 'debits', '0.00')`)
  .join(', ')})`
