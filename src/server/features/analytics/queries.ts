import { sql } from 'drizzle-orm'
import { awaitingReview, undecided } from '#contract/kyc.ts'
import { oneOf, toInstant } from '#server/db/columns.ts'
import type { Db } from '#server/db/client.ts'
import { memberCounts } from '#server/features/members/service.ts'
import type { todayIn } from '#server/lib/calendar.ts'

interface FigureRow extends Record<string, unknown> {
  total: number
  awaiting: number
  approved: number
  waiting: number
  rejected: number
  oldest_awaiting: string | null
  tokens: number
  active_earning: number
  active_fractions: number
  new_members: number
  transactions_today: number
  transactions_yesterday: number
}

/**
 * Every figure of the dashboard in one statement, so in one snapshot. Members are counted by their leaves, totals plus
 * deltas; no table is counted whole.
 */
export async function readFigures(db: Db, days: ReturnType<typeof todayIn>): Promise<FigureRow> {
  const { rows } = await db.execute<FigureRow>(sql`
    WITH leaves AS (
      SELECT ${sql.raw(memberCounts.part('kycStatus'))} AS status,
        ${sql.raw(memberCounts.leaves({ submitted: 'true' }))} AS submitted, sum(rows) AS n
      FROM ${sql.raw(memberCounts.all)} AS counts
      GROUP BY 1, 2
    ), member_counts AS (
      SELECT
        coalesce(sum(n), 0)::float8 AS total,
        coalesce(sum(n) FILTER (WHERE ${oneOf(sql`status`, awaitingReview)}), 0)::float8 AS awaiting,
        coalesce(sum(n) FILTER (WHERE submitted AND status = 'approved'), 0)::float8 AS approved,
        coalesce(sum(n) FILTER (WHERE submitted AND ${oneOf(sql`status`, undecided)}), 0)::float8 AS waiting,
        coalesce(sum(n) FILTER (WHERE submitted AND status = 'rejected'), 0)::float8 AS rejected
      FROM leaves
    ), token_counts AS (
      SELECT
        count(*)::int AS tokens,
        (count(*) FILTER (WHERE is_active AND kind = 'earning'))::int AS active_earning,
        (count(*) FILTER (WHERE is_active AND kind = 'fractions'))::int AS active_fractions
      FROM tokens
    )
    SELECT member_counts.*, token_counts.*,
      (SELECT min(kyc_submitted_at) FROM members WHERE ${oneOf(sql`kyc_status`, awaitingReview)}) AS oldest_awaiting,
      (SELECT count(*)::int FROM members
        WHERE created_at >= ${days.weekStart} AND created_at < ${days.end}) AS new_members,
      (SELECT count(*)::int FROM platform_transactions
        WHERE created_at >= ${days.start} AND created_at < ${days.end}) AS transactions_today,
      (SELECT count(*)::int FROM platform_transactions
        WHERE created_at >= ${days.yesterdayStart} AND created_at <= ${days.yesterdayByNow}) AS transactions_yesterday
    FROM member_counts, token_counts`)
  const row = rows[0]!
  return { ...row, oldest_awaiting: row.oldest_awaiting && toInstant(row.oldest_awaiting) }
}

/** How many members registered in each span between two neighbouring `bounds` (instants, ascending). */
export const countRegistrations = (db: Db, bounds: string[]): Promise<number[]> => countSpans(db, 'members', bounds)

/** How many platform transactions each span has. */
export const countTransactions = (db: Db, bounds: string[]): Promise<number[]> =>
  countSpans(db, 'platform_transactions', bounds)

/** How many of the tokens that are active now were there at each of these instants. */
export async function countTokens(db: Db, ends: string[]): Promise<number[]> {
  const { rows } = await db.execute<{ n: number }>(sql`
    SELECT (SELECT count(*)::int FROM tokens WHERE is_active AND created_at < ends.at) AS n
    FROM unnest(${sql.param(ends)}::timestamptz[]) WITH ORDINALITY AS ends(at, place) ORDER BY place`)
  return rows.map(({ n }) => n)
}

async function countSpans(db: Db, table: 'members' | 'platform_transactions', bounds: string[]): Promise<number[]> {
  // One index-only range count a span is twice as fast as one scan that sorts its rows into spans.
  const { rows } = await db.execute<{ n: number }>(sql`
    SELECT (SELECT count(*)::int FROM ${sql.raw(table)} WHERE created_at >= first AND created_at < next) AS n
    FROM unnest(${sql.param(bounds.slice(0, -1))}::timestamptz[], ${sql.param(bounds.slice(1))}::timestamptz[])
      WITH ORDINALITY AS spans(first, next, place)
    ORDER BY place`)
  return rows.map(({ n }) => n)
}
