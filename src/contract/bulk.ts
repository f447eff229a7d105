import type { ApprovalAction } from './approvals.ts'
import { kycMoves } from './kyc-moves.ts'
import { orderMoves } from './order-moves.ts'
import type { Permission, Role } from './permissions.ts'
import type { Routes } from './route.ts'
import type { bulkSchemas } from './schemas/bulk.ts'
import { maxOrderNotes } from './orders.ts'
import { maxResolutionNote } from './security.ts'
import { banReasonRequired, maxAdminNotes, maxReason } from './members.ts'
import { listKeys } from './states.ts'

interface BulkDesign {
  /** What is done, as lists and the audit log name it. */
  label: string
  /** The button. */
  button: string
  /** One and many of what it is done to. */
  noun: readonly [one: string, many: string]
  /** What is asked, and what is being done, to “14 orders”. */
  ask: (rows: string) => string
  doing: (rows: string) => string
  /** What it means for each of them. */
  consequence: string
  /** What happened to those it was done to. */
  done: string
  /** What some of them may have that speaks against it. It takes a second press, as does what a `hint` says of all. */
  doubt?: { one: string; many: string; hint?: string }
  /** Who may do it to one of them, and so to many. */
  permissions: readonly Permission[]
  /** The rule that may send each of them to a second operator. */
  approval: ApprovalAction | null
  /** The field for what is asked once, as the single call takes it. `refusal` is the message if it is missing; null: it may be. */
  reason: { label: string; refusal: string | null; max: number } | null
  isDanger?: true
}

const ban = ['members.view', 'members.ban'] as const
const kyc = ['kyc.view', 'kyc.decide'] as const
const orders = ['orders.view', 'orders.decide'] as const
const member = ['member', 'members'] as const
const order = ['order', 'orders'] as const

/** Everything that can be done to many rows of a list at once (product 5.18). */
export const bulkDesigns = {
  ban_users: {
    label: 'Ban members',
    button: 'Ban',
    noun: member,
    ask: (rows) => `Ban ${rows}`,
    doing: (rows) => `Banning ${rows}`,
    consequence: 'They can no longer sign in or invest. Wallets and orders stay as they are.',
    done: 'banned',
    permissions: ban,
    approval: 'ban_user',
    reason: { label: 'Reason', refusal: banReasonRequired, max: maxReason },
    isDanger: true,
  },
  unban_users: {
    label: 'Unban members',
    button: 'Unban',
    noun: member,
    ask: (rows) => `Unban ${rows}`,
    doing: (rows) => `Unbanning ${rows}`,
    consequence: 'They can sign in and invest again.',
    done: 'unbanned',
    permissions: ban,
    approval: 'unban_user',
    reason: null,
  },
  approve_cases: {
    label: 'Approve KYC',
    button: 'Approve',
    noun: ['case', 'cases'],
    ask: (rows) => `Approve ${rows}`,
    doing: (rows) => `Approving ${rows}`,
    consequence: kycMoves.approved.consequence,
    done: 'approved',
    doubt: {
      one: 'lacks a document or data that is asked for',
      many: 'lack a document or data that is asked for',
      hint: 'No document is on screen here. Review shows them all beside what was entered.',
    },
    permissions: kyc,
    approval: 'approve_kyc',
    reason: { label: 'Admin notes', refusal: null, max: maxAdminNotes },
  },
  reject_cases: {
    label: 'Reject KYC',
    button: 'Reject',
    noun: ['case', 'cases'],
    ask: (rows) => `Reject ${rows}`,
    doing: (rows) => `Rejecting ${rows}`,
    consequence: kycMoves.rejected.consequence,
    done: 'rejected',
    permissions: kyc,
    approval: 'reject_kyc',
    reason: { label: 'Rejection reason', refusal: kycMoves.rejected.refusal, max: maxReason },
    isDanger: true,
  },
  reset_cases: {
    label: 'Reset KYC',
    button: 'Reset',
    noun: ['case', 'cases'],
    ask: (rows) => `Reset ${rows}`,
    doing: (rows) => `Resetting ${rows}`,
    consequence: kycMoves.pending.consequence,
    done: 'reset',
    permissions: kyc,
    approval: 'reset_kyc',
    reason: { label: 'Admin notes', refusal: null, max: maxAdminNotes },
    isDanger: true,
  },
  mark_orders_paid: {
    label: 'Mark orders paid',
    button: 'Mark Paid',
    noun: order,
    ask: (rows) => `Mark ${rows} paid`,
    doing: (rows) => `Marking ${rows} paid`,
    consequence: 'The platform is told that they are paid, by hand. It can be undone until they are completed.',
    done: 'paid',
    doubt: {
      one: 'has a line of the bank that may pay it. Apply that instead',
      many: 'have a line of the bank that may pay them. Apply those instead',
    },
    permissions: orders,
    approval: 'mark_order_paid',
    reason: { label: orderMoves.paid.notes.label, refusal: null, max: maxOrderNotes },
  },
  cancel_orders: {
    label: 'Cancel orders',
    button: 'Cancel Orders',
    noun: order,
    ask: (rows) => `Cancel ${rows}`,
    doing: (rows) => `Cancelling ${rows}`,
    consequence: 'Nobody can pay them any more. Can’t be undone.',
    done: 'cancelled',
    permissions: orders,
    approval: 'cancel_order',
    reason: { label: 'Reason', refusal: orderMoves.cancelled.notes.refusal, max: maxOrderNotes },
    isDanger: true,
  },
  resend_messages: {
    label: 'Send messages again',
    button: 'Send Again',
    noun: ['message', 'messages'],
    ask: (rows) => `Send ${rows} again`,
    doing: (rows) => `Sending ${rows} again`,
    consequence: 'Each goes out again as soon as possible, also where it has arrived before.',
    done: 'queued',
    doubt: {
      one: 'arrives out of order: the platform has since had a newer event of the same member, order or token',
      many: 'arrive out of order: the platform has since had a newer event of the same member, order or token',
    },
    permissions: ['messages.view', 'messages.send'],
    approval: null,
    reason: null,
  },
  resolve_events: {
    label: 'Resolve security events',
    button: 'Resolve',
    noun: ['event', 'events'],
    ask: (rows) => `Resolve ${rows}`,
    doing: (rows) => `Resolving ${rows}`,
    consequence: 'They no longer count as open.',
    done: 'resolved',
    permissions: ['security.view', 'security.resolve'],
    approval: null,
    reason: { label: 'Note', refusal: null, max: maxResolutionNote },
  },
} as const satisfies Record<string, BulkDesign>

export type BulkAction = keyof typeof bulkDesigns
export const bulkActions = listKeys(bulkDesigns)

export const readBulkDesign = (action: BulkAction): BulkDesign => bulkDesigns[action]

/** `prepared`: its rows are frozen, and nothing is done yet. `stopped`: some rows were left as they were. */
export const bulkStates = ['prepared', 'running', 'stopped', 'done'] as const
export type BulkState = (typeof bulkStates)[number]
export const bulkStateLabels: Record<BulkState, string> = {
  prepared: 'Not started',
  running: 'Running',
  stopped: 'Stopped',
  done: 'Finished',
}

/** Why it stopped: an operator pressed Stop, or anyone who started it may not do it any more. */
export const bulkStopCauses = ['operator', 'disabled', 'permission'] as const

/** `requested`: a rule has sent it to a second operator. `skipped`: it had changed meanwhile, or was refused. */
export const bulkItemStates = ['waiting', 'done', 'requested', 'skipped', 'failed'] as const
export type BulkItemState = (typeof bulkItemStates)[number]
export const bulkItemStateLabels: Record<BulkItemState, string> = {
  waiting: 'Not done',
  done: 'Done',
  requested: 'Sent for approval',
  skipped: 'Skipped',
  failed: 'Failed',
}

/** Rows that are chosen one by one. More are chosen by a filter. */
export const mostBulkIds = 1000
/** Rows of one job. */
export const mostBulkRows = 10_000
/** Rows of one job that a rule may send to a second operator, who decides each of them. */
export const mostBulkRequests = 200
/** Rows that an operator of each role may change in bulk in 24 hours. Null: any number. */
export const bulkLimits: Record<Role, number | null> = { viewer: 0, reviewer: 1000, finance: 1000, super_admin: null }
/** The number of rows that are named before it starts. */
export const bulkSampleSize = 5
/** What was prepared and not started is forgotten after so long. */
export const bulkPreparedMinutes = 60
/** The rows of a job that has ended are kept so long. */
export const bulkKeptDays = 90

export const bulkRoutes: Routes<typeof bulkSchemas> = {
  list: { method: 'GET', path: '/api/bulk', access: 'admin' },
  prepare: { method: 'POST', path: '/api/bulk', access: 'admin', readsMembers: true, timeoutSeconds: 60 },
  detail: { method: 'GET', path: '/api/bulk/:id', access: 'admin' },
  items: { method: 'GET', path: '/api/bulk/:id/items', access: 'admin', readsMembers: true },
  start: { method: 'POST', path: '/api/bulk/:id/start', access: 'admin', stepUp: true },
  stop: { method: 'POST', path: '/api/bulk/:id/stop', access: 'admin' },
  see: { method: 'POST', path: '/api/bulk/:id/see', access: 'admin', repeatable: true },
  result: { method: 'GET', path: '/api/bulk/:id/result', access: 'exports.take', raw: true },
}
