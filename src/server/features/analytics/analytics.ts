import type { Comparison, Period } from '#contract/analytics.ts'
import type { Analytics, Registrations } from '#contract/schemas/analytics.ts'
import { audit } from '#server/core/audit.ts'
import { hasPermission, inTransaction, type Ctx } from '#server/core/context.ts'
import { sumUnreconciled } from '#server/features/bank/service.ts'
import { formatCsv } from '#server/http/csv.ts'
import { listPlatformTransactions } from '#server/features/transactions/service.ts'
import { listMembers } from '#server/features/members/service.ts'
import { periodIn, todayIn } from '#server/lib/calendar.ts'
import { countRegistrations, readFigures } from './queries.ts'
import { reportRows } from './report.ts'

interface KycCounts {
  approved: number
  pending: number
  rejected: number
}

/** Percentages with one decimal that add up to exactly 100.0. Rounding goes to the largest remainders. */
export function kycRates(counts: KycCounts): { approved: string; pending: string; rejected: string } {
  const shares = [counts.approved, counts.pending, counts.rejected]
  const all = shares.reduce((sum, n) => sum + n, 0)
  if (all === 0) return { approved: '0.0', pending: '0.0', rejected: '0.0' }
  const tenths = shares.map((n) => Math.floor((n * 1000) / all))
  const left = 1000 - tenths.reduce((sum, n) => sum + n, 0)
  const byRemainder = [0, 1, 2].toSorted((a, b) => ((shares[b]! * 1000) % all) - ((shares[a]! * 1000) % all))
  for (const index of byRemainder.slice(0, left)) tenths[index]! += 1
  const [approved, pending, rejected] = tenths.map((n) => (n / 10).toFixed(1))
  return { approved: approved!, pending: pending!, rejected: rejected! }
}

/** The counts of the dashboard (product 5.2). "Today" is the day in `timeZone`. */
export async function getAnalytics(ctx: Ctx, timeZone: string): Promise<Analytics> {
  const [counted, unreconciled] = await Promise.all([
    readFigures(ctx.database.db, todayIn(timeZone, new Date())),
    hasPermission(ctx, 'bank.view') ? sumUnreconciled(ctx) : [],
  ])
  const kycCounts = { approved: counted.approved, pending: counted.waiting, rejected: counted.rejected }
  return {
    totalUsers: counted.total,
    pendingKyc: counted.awaiting,
    activeTokens: counted.active_earning + counted.active_fractions,
    todayTransactions: counted.transactions_today,
    kycApprovalRates: kycRates(kycCounts),
    kycCounts,
    newUsersLast7Days: counted.new_members,
    oldestPendingKyc: counted.oldest_awaiting,
    tokens: { total: counted.tokens, activeEarning: counted.active_earning, activeFractions: counted.active_fractions },
    yesterdayTransactionsByNow: counted.transactions_yesterday,
    unreconciled,
  }
}

export async function getRegistrations(
  ctx: Ctx,
  period: Period,
  timeZone: string,
  compare: Comparison = 'previous',
): Promise<Registrations> {
  const { unit, days, bounds, previousBounds } = periodIn(timeZone, period, new Date(), compare)
  const [counts, previous] = await Promise.all([
    countRegistrations(ctx.database.db, bounds),
    countRegistrations(ctx.database.db, previousBounds),
  ])
  const points = days.map((start, index) => ({ start, registrations: counts[index]!, previous: previous[index]! }))
  return {
    period,
    compare,
    timeZone,
    unit,
    points,
    total: points.reduce((sum, point) => sum + point.registrations, 0),
    previousTotal: points.reduce((sum, point) => sum + point.previous, 0),
  }
}

/** The dashboard as a CSV file. Writes an audit row (product 6.9). */
export async function exportReport(ctx: Ctx, timeZone: string): Promise<{ fileName: string; content: string }> {
  const now = new Date()
  const recent = { page: 1, limit: 5 }
  const [figures, week, month, quarter, { users }, { transactions }] = await Promise.all([
    getAnalytics(ctx, timeZone),
    getRegistrations(ctx, '7d', timeZone),
    getRegistrations(ctx, '30d', timeZone),
    getRegistrations(ctx, '3m', timeZone),
    listMembers(ctx, recent),
    listPlatformTransactions(ctx, recent),
  ])
  const registrations = [week, month, quarter]
  const content = formatCsv(
    reportRows({ now: now.toISOString(), timeZone, figures, registrations, users, transactions }),
  )
  const fileName = `back-office-report-${todayIn(timeZone, now).today}.csv`
  await inTransaction(ctx, (tx) => audit(tx, ctx, { action: 'export_report', details: { fileName, timeZone } }))
  return { fileName, content }
}
