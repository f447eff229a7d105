import * as z from 'zod/mini'
import { route } from './route.ts'

/** PRODUCT 5.4, in the order they are shown. */
export const noticeKinds = ['critical_events', 'failed_submissions', 'expiring_orders', 'chain_unread'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** One a kind, while there is something to notice: its list shows exactly `count` rows. */
export const Notice = z.object({ kind: z.enum(noticeKinds), count: z.int() })
export type Notice = z.infer<typeof Notice>

/** How far ahead an order's end is noticed, and how far back a failed submission. */
export const noticeHours = 24

export const noticeRoutes = {
  list: route({
    method: 'GET',
    path: '/api/notices',
    summary: 'What waits for an operator: the badge shows how many notices there are',
    reply: z.object({ notices: z.array(Notice) }),
  }),
}
