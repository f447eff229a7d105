import { noticeKinds, noticePermissions, type NoticeKind } from '#contract/notices.ts'
import type { Permission } from '#contract/permissions.ts'
import type { Notice, Queues } from '#contract/schemas/notices.ts'
import { type Ctx, mayView } from '#server/core/context.ts'
import { countForPage } from '#server/db/list-rows.ts'
import type { ListRequest } from '#server/db/list.ts'
import { countFailingOutputs } from '#server/features/alarms/service.ts'
import { countAnsweredRequests, countWaitingApprovals } from '#server/features/approvals/service.ts'
import { buildLineList, countImportsWith, countLinesWith, countStatementsWith } from '#server/features/bank/service.ts'
import { countUnseenJobs } from '#server/features/bulk/service.ts'
import { countUnreadChain } from '#server/features/chain/service.ts'
import { countFailedAlerts, countFailedEvents } from '#server/features/messages/service.ts'
import { buildVerificationList, countAnotherLooks } from '#server/features/kyc/service.ts'
import { countExpiring } from '#server/features/orders/service.ts'
import { countCritical } from '#server/features/security/service.ts'
import { countUnreached } from '#server/features/kyc-webhooks/service.ts'

const counts: Record<NoticeKind, (ctx: Ctx) => Promise<number>> = {
  critical_events: countCritical,
  waiting_approvals: countWaitingApprovals,
  answered_requests: countAnsweredRequests,
  unfinished_bulk: countUnseenJobs,
  alarms_failing: countFailingOutputs,
  failed_submissions: countUnreached,
  failed_events: countFailedEvents,
  failed_alerts: countFailedAlerts,
  another_looks: countAnotherLooks,
  expiring_orders: countExpiring,
  overdue_lines: (ctx) => countLinesWith(ctx, 'overdue'),
  ended_orders_paid: (ctx) => countLinesWith(ctx, 'ended_order'),
  payments_taken_back: (ctx) => countLinesWith(ctx, 'taken_back'),
  refunds_due: (ctx) => countLinesWith(ctx, 'refund_due'),
  statement_differences: (ctx) => countStatementsWith(ctx, 'difference'),
  statement_gaps: (ctx) => countStatementsWith(ctx, 'gap'),
  unreadable_imports: (ctx) => countImportsWith(ctx, 'unreadable'),
  chain_unread: countUnreadChain,
}

/** The rows of the list that a notice leads to, for the admin who acts. */
export const countNotice = (ctx: Ctx, kind: NoticeKind): Promise<number> => counts[kind](ctx)

/**
 * What waits for an operator: one notice per kind, with its count. Omits kinds without a count, and those whose list
 * the operator may not view (product 3.6).
 */
export async function listNotices(ctx: Ctx): Promise<Notice[]> {
  const kinds = noticeKinds.filter((kind) => mayView(ctx, noticePermissions[kind]))
  const notices = await Promise.all(kinds.map(async (kind) => ({ kind, count: await counts[kind](ctx) })))
  return notices.filter(({ count }) => count > 0)
}

/** What is waiting to be done, for the sidebar (product 3.1). */
export async function countQueues(ctx: Ctx): Promise<Queues> {
  // Both are counted beforehand.
  const count = async (view: Permission, list: ListRequest) =>
    mayView(ctx, view) ? (await countForPage(ctx.reads, list)).total : null
  const [cases, lines] = await Promise.all([
    count('kyc.view', buildVerificationList({ status: ['pending'] })),
    count('bank.view', buildLineList({ work: 'todo' })),
  ])
  return { cases, lines }
}
