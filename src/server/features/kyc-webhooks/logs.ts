import type { WebhookLog, WebhookLogsQuery, WebhookStats } from '#contract/schemas/kyc-webhooks.ts'
import { failedCaseHours } from '#contract/notices.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { type ListRequest, type ListDesign, type ListFilter, readList, readPage } from '#server/db/list.ts'
import { expressions, instant } from '#server/db/select.ts'
import { messageAttempts } from '#server/db/tables/messages.ts'

const { id, tryNumber, success, errorMessage, httpStatus, latencyMs, responseExcerpt, startedBy, createdAt } =
  messageAttempts
const columns = { id, tryNumber, success, errorMessage, httpStatus, latencyMs, responseExcerpt, startedBy, createdAt }

/** The newest try that matches `condition`, through the index of its case or member. */
const latestTryId = (condition: string) =>
  `(SELECT l.id FROM message_attempts l JOIN messages c ON c.id = l.message_id
    WHERE c.channel = 'kyc' AND c.direction = 'out' AND ${condition} ORDER BY l.created_at DESC, l.id DESC LIMIT 1)`

/** The columns of the log, for these aliases of the try and its case. */
const selectLog = (log: string, sent: string) => ({
  ...expressions(columns, log),
  userId: `${sent}.entity_id`,
  attemptNumber: `${sent}.attempt_number`,
  canRetry: `NOT ${log}.success AND ${sent}.state <> 'delivered'
    AND (${sent}.state = 'sending' AND ${sent}.lease_until > now()) IS NOT TRUE
    AND ${log}.id = ${latestTryId(`c.entity_id = ${sent}.entity_id`)}`,
  nextTryAt: `CASE WHEN ${sent}.state = 'waiting' AND ${log}.id = ${latestTryId(`c.id = ${sent}.id`)}
    THEN ${instant(`${sent}.next_try_at`)} END`,
})

/** The tries of cases, out of all tries. */
const attempts = declareCounts({
  name: 'kyc_attempts',
  table: messageAttempts,
  at: createdAt,
  by: { status: { success: 't.success', failed: 'NOT t.success' } },
  only: "t.channel = 'kyc'",
})

const logList: ListDesign = {
  ...attempts.list,
  select: selectLog('t', 'd'),
  join: 'JOIN messages d ON d.id = t.message_id',
  // The searched text is the member's id. The index finds the member's few rows, which are counted.
  matches: `t.message_id IN (SELECT c.id FROM messages c WHERE c.channel = 'kyc' AND c.direction = 'out' AND c.entity_id = $1)`,
}

/** Cases whose last try failed within the last day and that have not reached the provider since (product 3.6). */
const isUnreached = (alias: string) =>
  `${alias}.channel = 'kyc' AND ${alias}.state <> 'delivered' AND ${alias}.last_failed_at > now() - interval '${failedCaseHours} hours'`

/** The last failure of each such case. Uses the cases' index, because there may be many while the provider is away. */
const unreachedList: ListDesign = {
  table: 'messages',
  at: 'last_failed_at',
  select: selectLog('f', 't'),
  join: `CROSS JOIN LATERAL (SELECT * FROM message_attempts l WHERE l.message_id = t.id AND NOT l.success
    ORDER BY l.created_at DESC, l.id DESC LIMIT 1) f`,
  matches: 't.entity_id = $1',
}
const unreached: ListFilter = { rows: isUnreached('t'), leaves: null }
/** All of these have failed. */
const noneSucceeded: ListFilter = { rows: 'false', leaves: null }

export const buildWebhookLogList = ({
  status,
  userId,
  unreached: since,
}: Partial<Pick<WebhookLogsQuery, 'status' | 'userId' | 'unreached'>>): ListRequest => ({
  list: since ? unreachedList : logList,
  filters: since ? [unreached, ...(status === 'success' ? [noneSucceeded] : [])] : [attempts.filter({ status })],
  typed: userId,
})

/** Attempts to reach the KYC provider, newest first (product 5.11, KYC Webhooks). */
export async function listWebhookLogs({ reads }: Ctx, query: WebhookLogsQuery) {
  const asked = buildWebhookLogList(query)
  const { rows, ...rest } = await readList<WebhookLog>(reads, asked, { ...query, total: 'exact' })
  return { logs: rows, ...rest }
}

/** The number of cases that `unreached` lists. */
export async function countUnreached({ database }: Ctx): Promise<number> {
  const text = `SELECT count(*)::int AS n FROM messages d WHERE ${isUnreached('d')}`
  const { rows } = await database.pool.query<{ n: number }>({ name: 'kyc_unreached', text })
  return rows[0]!.n
}

const counts = `
  SELECT coalesce(sum(rows), 0)::int AS total, coalesce(sum(rows) FILTER (WHERE ${attempts.leaves({ status: 'success' })}), 0)::int AS successful
  FROM ${attempts.all} counted`

/** Counts over all attempts, exact at any size of the table, and the ten newest failures. */
export async function readWebhookStats({ database: { pool } }: Ctx): Promise<WebhookStats> {
  const [{ rows }, failures] = await Promise.all([
    pool.query<{ total: number; successful: number }>({ name: 'kyc_webhook_stats', text: counts }),
    readPage<WebhookLog>(pool, logList, { page: 1, limit: 10, filters: [attempts.filter({ status: 'failed' })] }),
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
