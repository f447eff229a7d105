import type { Permission } from './permissions.ts'
import type { Routes } from './route.ts'
import type { approvalSchemas } from './schemas/approvals.ts'
import { listKeys } from './states.ts'

interface ApprovalDesign {
  /** What is done, as rules and lists name it. */
  label: string
  /** Who may do it, and so approve it. */
  decide: readonly Permission[]
  /** Who may see what is requested: anyone who may view all that it is about. */
  view: readonly Permission[]
  /** A rule may say from which amount it applies. */
  hasAmount?: true
}

const order = { decide: ['orders.decide'], view: ['orders.view'], hasAmount: true } as const
const payment = { decide: ['bank.apply'], view: ['orders.view', 'bank.view'], hasAmount: true } as const
const kyc = { decide: ['kyc.decide'], view: ['members.view', 'kyc.view'] } as const
const member = { decide: ['members.ban'], view: ['members.view'] } as const
const token = { decide: ['tokens.manage'], view: ['tokens.view'] } as const

/** Every action for which a rule may require a second operator's approval (product 2.11). */
export const approvalDesigns = {
  mark_order_paid: { label: 'Mark an order paid by hand', ...order },
  undo_mark_paid: { label: 'Undo a payment marked by hand', ...order },
  cancel_order: { label: 'Cancel an order', ...order },
  apply_payment: { label: 'Apply bank money, or put it aside', ...payment },
  undo_payment: { label: 'Undo a payment', ...payment },
  approve_kyc: { label: 'Approve KYC', ...kyc },
  reject_kyc: { label: 'Reject KYC', ...kyc },
  reset_kyc: { label: 'Reset KYC', ...kyc },
  ban_user: { label: 'Ban a member', ...member },
  unban_user: { label: 'Unban a member', ...member },
  create_token: { label: 'Add a token', ...token },
  switch_token: { label: 'Switch a token on or off', ...token },
  set_bank_policy: { label: 'Change the reconciliation policy', decide: ['bank.policy'], view: ['bank.view'] },
  change_operators: { label: 'Change operators', decide: ['operators.manage'], view: ['operators.manage'] },
  set_approval_rule: { label: 'Change an approval rule', decide: ['approvals.rules'], view: ['approvals.rules'] },
} as const satisfies Record<string, ApprovalDesign>

export type ApprovalAction = keyof typeof approvalDesigns
export const approvalActions = listKeys(approvalDesigns)

export const readApprovalDesign = (action: ApprovalAction): ApprovalDesign => approvalDesigns[action]

/** `failed`: it was approved, and could not be done any more. */
export const approvalStateLabels = {
  open: 'Waiting',
  approved: 'Approved',
  declined: 'Declined',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  failed: 'Failed',
}
export const approvalStates = listKeys(approvalStateLabels)
export type ApprovalState = (typeof approvalStates)[number]

/** What a request is about. */
export const approvalTargets = ['order', 'bank_line', 'user', 'token', 'bank_policy', 'admin', 'approval_rule'] as const
export type ApprovalTarget = (typeof approvalTargets)[number]

/**
 * Whose requests a list shows: of the admin, of others that the admin may approve, or of the admin those that were
 * decided and not looked at since.
 */
export const approvalViews = ['own', 'others', 'answered'] as const
export type ApprovalView = (typeof approvalViews)[number]

export const longestApprovalComment = 1000

export const approvalTexts = {
  sent: 'Sent for approval',
  approved: 'Approved and done',
  declined: 'Request declined',
  withdrawn: 'Request withdrawn',
  ruleSaved: 'Approval rule saved',
  stepUpSaved: 'Recent sign-in switched',
  own: 'Another operator has to approve what you have requested',
} as const

const rules = 'approvals.rules'

export const approvalRoutes: Routes<typeof approvalSchemas> = {
  list: { method: 'GET', path: '/api/approvals', access: 'admin', readsMembers: true },
  detail: { method: 'GET', path: '/api/approvals/:id', access: 'admin', readsMembers: true },
  approve: { method: 'POST', path: '/api/approvals/:id/approve', access: 'admin', stepUp: true },
  decline: { method: 'POST', path: '/api/approvals/:id/decline', access: 'admin' },
  withdraw: { method: 'POST', path: '/api/approvals/:id/withdraw', access: 'admin' },
  see: { method: 'POST', path: '/api/approvals/:id/see', access: 'admin', repeatable: true },
  ownRules: { method: 'GET', path: '/api/approval-rules/own', access: 'admin' },
  rules: { method: 'GET', path: '/api/approval-rules', access: rules },
  saveRule: {
    method: 'PUT',
    path: '/api/approval-rules/:action',
    access: rules,
    versioned: true,
    stepUp: true,
    approvals: ['set_approval_rule'],
  },
  saveStepUp: { method: 'PUT', path: '/api/step-up-rules/:kind', access: rules, stepUp: true },
}
