import type { Permission } from './permissions.ts'
import type { Routes } from './route.ts'
import type { noticeSchemas } from './schemas/notices.ts'

/** Product 3.6, in the order they are shown. */
export const noticeKinds = [
  'critical_events',
  'waiting_approvals',
  'answered_requests',
  'unfinished_bulk',
  'alarms_failing',
  'failed_submissions',
  'failed_events',
  'failed_alerts',
  'another_looks',
  'expiring_orders',
  'overdue_lines',
  'ended_orders_paid',
  'payments_taken_back',
  'refunds_due',
  'statement_differences',
  'statement_gaps',
  'unreadable_imports',
  'chain_unread',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** What failed or may be lost. The others wait for somebody. */
export const dangerNotices: ReadonlySet<NoticeKind> = new Set<NoticeKind>([
  'critical_events',
  'alarms_failing',
  'failed_events',
  'ended_orders_paid',
  'payments_taken_back',
  'statement_differences',
  'unreadable_imports',
  'chain_unread',
])

/**
 * The permission to view the list that a notice counts. Without it there is no such notice. Null: it counts what the
 * admin may decide, or has requested.
 */
export const noticePermissions: Record<NoticeKind, Permission | null> = {
  critical_events: 'security.view',
  waiting_approvals: null,
  answered_requests: null,
  unfinished_bulk: null,
  alarms_failing: 'security.view',
  failed_submissions: 'messages.view',
  failed_events: 'messages.view',
  failed_alerts: 'messages.send',
  another_looks: 'kyc.view',
  expiring_orders: 'orders.view',
  overdue_lines: 'bank.view',
  ended_orders_paid: 'bank.view',
  payments_taken_back: 'bank.view',
  refunds_due: 'bank.view',
  statement_differences: 'bank.view',
  statement_gaps: 'bank.view',
  unreadable_imports: 'bank.view',
  chain_unread: 'transactions.view',
}

/** How far ahead expiring orders are noticed. Texts and the filter `24h` say it too. */
export const expiringOrderHours = 24

/** How far back cases that did not reach the KYC provider are noticed. Texts and the filter `24h` say it too. */
export const failedCaseHours = 24

export const noticeRoutes: Routes<typeof noticeSchemas> = {
  list: { method: 'GET', path: '/api/notices', access: 'admin' },
}
