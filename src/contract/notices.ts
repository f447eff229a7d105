import type { Routes } from './route.ts'
import type { noticeSchemas } from './schemas/notices.ts'

/** Product 3.6, in the order they are shown. */
export const noticeKinds = [
  'critical_events',
  'failed_submissions',
  'failed_events',
  'expiring_orders',
  'overdue_lines',
  'ended_orders_paid',
  'refunds_due',
  'statement_differences',
  'statement_gaps',
  'chain_unread',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** How far ahead expiring orders are noticed, and how far back failed submissions. */
export const noticeHours = 24

export const noticeRoutes: Routes<typeof noticeSchemas> = {
  list: {
    method: 'GET',
    path: '/api/notices',
    access: 'admin',
  },
}
