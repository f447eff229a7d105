import type { Routes } from './route.ts'
import type { activitySchemas } from './schemas/activity.ts'
import { listKeys } from './states.ts'

/** What activity is filtered by, in the order of its filter, each with its types of entries (product 5.17). */
export const activityKinds = {
  notes: ['note'],
  kyc: ['kyc_step', 'kyc_submitted', 'approve_kyc', 'reject_kyc', 'reset_kyc', 'ask_another_look', 'end_another_look'],
  bans: ['ban_user', 'unban_user'],
  orders: ['order_placed', 'order_changed', 'order_paid', 'order_completed', 'order_expired', 'order_cancelled'],
  payments: ['payment_applied', 'payment_undone'],
  transfers: ['wallet_added', 'account_transaction', 'chain_transfer'],
  views: ['view_document', 'view_member'],
  messages: ['message_sent', 'message_received'],
  profile: ['joined', 'update_member', 'place_legal_hold', 'lift_legal_hold', 'erase_member'],
} as const
export type ActivityKind = keyof typeof activityKinds
export type ActivityType = (typeof activityKinds)[ActivityKind][number]

export const activityKindNames = listKeys(activityKinds)
export const activityTypes = Object.values(activityKinds).flat() as [ActivityType, ...ActivityType[]]

/** Entries of one reply, and the most that may be asked for. */
export const activityPage = 30
export const maxActivityPage = 1000

export const activityRoutes: Routes<typeof activitySchemas> = {
  member: { method: 'GET', path: '/api/users/:id/activity', access: 'members.view', readsMembers: true },
  order: { method: 'GET', path: '/api/orders/:id/activity', access: 'orders.view', readsMembers: true },
}
