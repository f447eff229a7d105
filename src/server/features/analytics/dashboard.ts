import { type Comparison, type Period, trendDays } from '#contract/analytics.ts'
import type { MessageHealth, Transfers, Trends, NoticeDetails } from '#contract/schemas/analytics.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { readOldestApproval } from '#server/features/approvals/service.ts'
import { readKycTrend } from '#server/features/kyc/service.ts'
import { readQueue } from '#server/features/messages/service.ts'
import { sumExpiring } from '#server/features/orders/service.ts'
import { readOldestCritical } from '#server/features/security/service.ts'
import { countTransfers, totalTransfers } from '#server/features/transactions/service.ts'
import { addDays, lastDaysIn, periodIn } from '#server/lib/calendar.ts'
import { countRegistrations, countTokens, countTransactions } from './queries.ts'

/** What is told beside the counts of notices (product 5.1). */
export async function readWaiting(ctx: Ctx): Promise<NoticeDetails> {
  const [expiringOrders, oldestCritical, oldestApproval] = await Promise.all([
    hasPermission(ctx, 'orders.view') ? sumExpiring(ctx) : null,
    hasPermission(ctx, 'security.view') ? readOldestCritical(ctx) : null,
    readOldestApproval(ctx),
  ])
  return { expiringOrders, oldestCritical, oldestApproval }
}

/** The figures of the last days, of what the admin may view (product 5.2). */
export async function readTrends(ctx: Ctx, timeZone: string): Promise<Trends> {
  const { db } = ctx.database
  const bounds = lastDaysIn(timeZone, trendDays, new Date())
  const ends = bounds.slice(1)
  const [members, pendingKyc, tokens, transactions] = await Promise.all([
    hasPermission(ctx, 'members.view') ? countRegistrations(db, bounds) : null,
    hasPermission(ctx, 'kyc.view') ? readKycTrend(ctx, ends) : null,
    hasPermission(ctx, 'tokens.view') ? countTokens(db, ends) : null,
    hasPermission(ctx, 'transactions.view') ? countTransactions(db, bounds) : null,
  ])
  return { members, pendingKyc, tokens, transactions }
}

/** Deposits and withdrawals on the chain (product 5.2). A week ends on Sunday, also the one that is still running. */
export async function readTransfers(
  ctx: Ctx,
  period: Period,
  timeZone: string,
  compare: Comparison,
): Promise<Transfers> {
  const { unit, step, days, bounds, previousBounds } = periodIn(timeZone, period, new Date(), compare)
  const [counted, previousTotal] = await Promise.all([countTransfers(ctx, bounds), totalTransfers(ctx, previousBounds)])
  const { days: counts, tokens, tokenCount } = counted
  const points = days.map((start, index) => ({ start, end: addDays(start, step - 1), ...counts[index]! }))
  const total = {
    deposits: counts.reduce((sum, day) => sum + day.deposits, 0),
    withdrawals: counts.reduce((sum, day) => sum + day.withdrawals, 0),
  }
  return { period, compare, timeZone, unit, points, total, previousTotal, tokens, tokenCount }
}

/** What waits to go out, and what was given up (product 5.2). */
export async function readMessageHealth(ctx: Ctx): Promise<MessageHealth> {
  const queues = await readQueue(ctx)
  const of = (wanted: 'platform' | 'kyc') => {
    const { open, failed, oldestOpenSeconds } = queues.find(({ channel }) => channel === wanted)!
    return { waiting: open, failed, oldestSeconds: open > 0 ? Math.max(0, Math.round(oldestOpenSeconds)) : null }
  }
  return { events: of('platform'), cases: of('kyc') }
}
