import { mostTokens } from '#contract/analytics.ts'
import type { Transfers } from '#contract/schemas/analytics.ts'
import type { Ctx } from '#server/core/context.ts'
import { symbolOf } from './monitor.ts'

type Token = Transfers['tokens'][number]
type DayCount = { place: number; deposits: number; withdrawals: number }
type Totals = Transfers['total']

/** The completed deposits and withdrawals between two instants, by the index of time. */
const moved = `FROM chain_transactions t WHERE t.created_at >= $1::timestamptz AND t.created_at < $2::timestamptz
  AND t.status = 'completed' AND t.transaction_type IN ('deposit', 'withdrawal')`

const sumOf = (column: string, type: string) => `coalesce(sum(${column}) FILTER (WHERE type = '${type}'), 0)`
const counts = `${sumOf('count', 'deposit')}::int AS deposits, ${sumOf('count', 'withdrawal')}::int AS withdrawals`
const tokenSum = (type: string) =>
  `json_build_object('count', ${sumOf('count', type)}, 'amount', trim_scale(${sumOf('amount', type)})::text)`

/** `$3`: where the days begin. One pass over the transfers; days and tokens are summed from what it counted. */
const byDayAndToken = `
  WITH counted AS MATERIALIZED (
    SELECT width_bucket(t.created_at, $3::timestamptz[]) - 1 AS place, t.transaction_type AS type,
      t.token_address AS token, max(t.token_symbol) AS symbol, count(*) AS count, sum(t.amount) AS amount
    ${moved} GROUP BY 1, 2, 3
  ), days AS (SELECT place, ${counts} FROM counted GROUP BY place),
  by_token AS (
    SELECT token, max(symbol) AS symbol, sum(count) AS count, ${tokenSum('deposit')} AS deposits,
      ${tokenSum('withdrawal')} AS withdrawals
    FROM counted GROUP BY token
  ), busiest AS (SELECT * FROM by_token ORDER BY count DESC, token LIMIT ${mostTokens})
  SELECT (SELECT coalesce(json_agg(days), '[]') FROM days) AS days,
    (SELECT count(*)::int FROM by_token) AS "tokenCount",
    (SELECT coalesce(json_agg(json_build_object('tokenAddress', token, 'tokenSymbol', coalesce(${symbolOf('token')}, symbol),
      'deposits', deposits, 'withdrawals', withdrawals) ORDER BY count DESC, token), '[]') FROM busiest) AS tokens`

const totals = `
  SELECT ${counts} FROM (SELECT t.transaction_type AS type, count(*) AS count ${moved} GROUP BY 1) counted`

/** Completed deposits and withdrawals of each span between two neighbouring `bounds`, by span and by token. */
export async function countTransfers({ database: { pool } }: Ctx, bounds: string[]) {
  const { rows } = await pool.query<{ days: DayCount[]; tokens: Token[]; tokenCount: number }>({
    name: 'transfers_by_day',
    text: byDayAndToken,
    values: [bounds[0], bounds.at(-1), bounds.slice(0, -1)],
  })
  const { days, ...rest } = rows[0]!
  const found = new Map(days.map(({ place, ...day }) => [place, day]))
  return { ...rest, days: bounds.slice(1).map((_, place) => found.get(place) ?? { deposits: 0, withdrawals: 0 }) }
}

/** How many deposits and withdrawals were completed between the first and the last of these instants. */
export async function totalTransfers({ database: { pool } }: Ctx, bounds: string[]): Promise<Totals> {
  const values = [bounds[0], bounds.at(-1)]
  const { rows } = await pool.query<Totals>({ name: 'transfers_total', text: totals, values })
  return rows[0]!
}
