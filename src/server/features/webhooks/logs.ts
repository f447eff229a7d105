import type { WebhookLog, WebhookLogsQuery, WebhookStats } from '#contract/kyc-webhooks.ts'
import { noticeHours } from '#contract/notices.ts'
import type { Ctx } from '#server/context.ts'
import { leavesOf, type ListAsked, type ListDesign, type ListFilter, readList, readPage } from '#server/db/list.ts'
import { expressions, instant } from '#server/db/select.ts'
import { kycWebhookLogs } from '#server/db/tables/webhooks.ts'

const { id, memberId, attemptNumber, tryNumber, success, errorMessage } = kycWebhookLogs
const { httpStatus, latencyMs, responseExcerpt, startedBy, createdAt } = kycWebhookLogs
const columns = { id, userId: memberId, attemptNumber, tryNumber, success, errorMessage }
const more = { httpStatus, latencyMs, responseExcerpt, startedBy, createdAt }

/** The newest log row that `condition` lets through, found by its member's index. */
const latest = (condition: string) =>
  `(SELECT l.id FROM kyc_webhook_logs l WHERE ${condition} ORDER BY l.created_at DESC, l.id DESC LIMIT 1)`
const ofCase = (alias: string) => `l.member_id = ${alias}.member_id AND l.attempt_number = ${alias}.attempt_number`

/** What stands in a row of the log, given what the log and its case are called in the statement. */
const selectOf = (log: string, delivery: string) => ({
  ...expressions({ ...columns, ...more }, log),
  canRetry: `NOT ${log}.success AND ${delivery}.state IS DISTINCT FROM 'delivered'
    AND (${delivery}.state = 'sending' AND ${delivery}.lease_until > now()) IS NOT TRUE
    AND ${log}.id = ${latest(`l.member_id = ${log}.member_id`)}`,
  nextTryAt: `CASE WHEN ${delivery}.state = 'waiting' AND ${log}.id = ${latest(ofCase(log))}
    THEN ${instant(`${delivery}.next_try_at`)} END`,
})

// A member's few rows are found by the index and counted: the member's id is the searched text.
const matches = 't.member_id = $1'
const logList: ListDesign = {
  name: 'kyc_webhook_logs',
  table: 'kyc_webhook_logs',
  at: 'created_at',
  select: selectOf('t', 'd'),
  join: 'LEFT JOIN kyc_deliveries d ON d.member_id = t.member_id AND d.attempt_number = t.attempt_number',
  matches,
}

const byStatus: Record<NonNullable<WebhookLogsQuery['status']>, ListFilter> = {
  success: { rows: 't.success', leaves: "leaf = 'success'" },
  failed: { rows: 'NOT t.success', leaves: "leaf = 'failed'" },
}

/** Cases whose last try failed within the last day and that have not reached the provider since (PRODUCT 5.4). */
const isUnreached = (alias: string) =>
  `${alias}.state <> 'delivered' AND ${alias}.last_failed_at > now() - interval '${noticeHours} hours'`

/** The last failure of each such case. Walked by the cases' own index: they may be many when the provider is away. */
const unreachedList: ListDesign = {
  name: 'kyc_deliveries',
  table: 'kyc_deliveries',
  at: 'last_failed_at',
  select: selectOf('f', 't'),
  join: `CROSS JOIN LATERAL (SELECT * FROM kyc_webhook_logs l WHERE ${ofCase('t')} AND NOT l.success
    ORDER BY l.created_at DESC, l.id DESC LIMIT 1) f`,
  matches,
}
const unreached: ListFilter = { rows: isUnreached('t') }
// They have failed, one and all.
const unreachedByStatus: typeof byStatus = { success: { rows: 'false' }, failed: { rows: 'true' } }

export const askWebhookLogs = ({
  status,
  userId,
  unreached: since,
}: Partial<Pick<WebhookLogsQuery, 'status' | 'userId' | 'unreached'>>): ListAsked => ({
  list: since ? unreachedList : logList,
  filters: [...(since ? [unreached] : []), ...(status ? [(since ? unreachedByStatus : byStatus)[status]] : [])],
  typed: userId,
})

/** Attempts to reach the KYC provider, newest first (SPEC section 2, KYC Webhooks). */
export async function listWebhookLogs({ database }: Ctx, query: WebhookLogsQuery) {
  const asked = askWebhookLogs(query)
  const { rows, total, page, limit } = await readList<WebhookLog>(database.pool, asked, { ...query, total: 'exact' })
  return { logs: rows, total, page, limit }
}

/** How many cases `unreached` lists. */
export async function countUnreached({ database }: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM kyc_deliveries d WHERE ${isUnreached('d')}`
  const { rows } = await database.pool.query<{ n: number }>({ name: 'kyc_unreached', text })
  return rows[0]!.n
}

const counts = `
  SELECT coalesce(sum(rows), 0)::int AS total, coalesce(sum(rows) FILTER (WHERE leaf = 'success'), 0)::int AS successful
  FROM ${leavesOf('kyc_webhook_logs')} counted`

/** Figures over all attempts, exact at any size of the table, and the ten newest failures. */
export async function webhookStats({ database: { pool } }: Ctx): Promise<WebhookStats> {
  const [{ rows }, failures] = await Promise.all([
    pool.query<{ total: number; successful: number }>({ name: 'kyc_webhook_stats', text: counts }),
    readPage<WebhookLog>(pool, logList, { page: 1, limit: 10, filters: [byStatus.failed] }),
  ])
  const { total, successful } = rows[0]!
  return {
    totalAttempts: total,
    successfulAttempts: successful,
    failedAttempts: total - successful,
    successRate: total === 0 ? 0 : Math.round((successful * 1000) / total) / 10,
    recentFailures: failures.rows,
  }
}
