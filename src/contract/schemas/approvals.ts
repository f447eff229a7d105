import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { approvalList } from '#contract/lists.ts'
import { approvalActions, approvalStates, approvalTargets, longestApprovalComment } from '#contract/approvals.ts'
import { roleNames } from '#contract/permissions.ts'
import { stepUpKinds } from '#contract/step-up.ts'
import { filled, filter, listQuery, pageOf, RowId, text, Timestamp } from './common.ts'

const ApprovalAction = z.enum(approvalActions, { error: `must be one of ${approvalActions.join(', ')}` })

/** One change that would be made, as the audit log would name it. */
const PlannedChange = z.object({
  /** The action of the audit log. */
  action: z.string(),
  /** What was entered, and the values `before` and `after`. */
  details: z.record(z.string(), z.unknown()),
})
export type PlannedChange = z.infer<typeof PlannedChange>

export const Approval = z.object({
  id: z.string(),
  action: ApprovalAction,
  state: z.enum(approvalStates),
  target: z.object({ type: z.enum(approvalTargets), id: z.string(), name: z.string() }),
  /** The member whom it is about. */
  memberId: z.nullable(z.string()),
  /** What the rule compares with its amount. A decimal string, in `currency`. */
  amount: z.nullable(z.string()),
  currency: z.nullable(z.string()),
  changes: z.array(PlannedChange),
  requestedBy: z.string(),
  requestedAt: Timestamp,
  expiresAt: Timestamp,
  /** Who approved or declined it. */
  decidedBy: z.nullable(z.string()),
  closedAt: z.nullable(Timestamp),
  comment: z.nullable(z.string()),
  /** Why it could not be done any more. */
  failure: z.nullable(z.string()),
  /** Whether the signed-in admin has requested it. */
  isOwn: z.boolean(),
  /** Whether nothing of it is news to who has requested it: it waits, was withdrawn, or they have seen how it ended. */
  isSeen: z.boolean(),
  /** Whether the signed-in admin may approve or decline it now. */
  canDecide: z.boolean(),
  /** Why nobody can approve it, though it can be declined. Null where it can, and of what is closed. */
  approvalProblem: z.nullable(z.string()),
})
export type Approval = z.infer<typeof Approval>

/** What a call answers with 202 that needs an approval. Nothing is changed yet. */
export const ApprovalRequested = z.object({ message: z.string(), approval: Approval })
export type ApprovalRequested = z.infer<typeof ApprovalRequested>

export const ApprovalsQuery = z.object({
  ...listQuery(approvalList),
  targetType: filter(approvalTargets),
  targetId: z.optional(text(200)),
})
export type ApprovalsQuery = z.infer<typeof ApprovalsQuery>

const moneyForm = /^\d{1,15}(\.\d{1,2})?$/
export const RuleChange = z.strictObject({
  isOn: z.boolean(),
  /** Null: whatever the amount. What is in another currency needs an approval too. */
  fromAmount: z.nullable(
    z
      .string()
      .check(z.regex(moneyForm, 'must be an amount such as 5000.00, at most 15 digits before and 2 after the point')),
  ),
  currency: z.nullable(z.string().check(z.regex(/^[A-Z]{3}$/, 'must be a currency such as EUR'))),
  /** Operators of these roles need an approval. Null: of all. */
  roles: z.nullable(z.array(z.enum(roleNames)).check(z.minLength(1, 'must hold a role'))),
})
export type RuleChange = z.infer<typeof RuleChange>

export const ApprovalRule = z.object({
  action: ApprovalAction,
  ...RuleChange.shape,
  /** The roles whose operators may do it. */
  able: z.array(z.enum(roleNames)),
  changedBy: z.nullable(z.string()),
  changedAt: z.nullable(Timestamp),
  version: z.int(),
})
export type ApprovalRule = z.infer<typeof ApprovalRule>

/** A rule that the admin's own changes fall under. */
const OwnRule = z.object({
  action: ApprovalAction,
  fromAmount: z.nullable(z.string()),
  currency: z.nullable(z.string()),
})
export type OwnRule = z.infer<typeof OwnRule>

const params = z.object({ id: RowId })
const ApprovalReply = z.object({ message: z.string(), approval: Approval })

export const approvalSchemas = {
  list: { summary: 'Requests for approval, newest first', query: ApprovalsQuery, reply: pageOf('approvals', Approval) },
  detail: { summary: 'One request for approval', params, reply: z.object({ approval: Approval }) },
  approve: {
    summary: 'Approve a request, and do what it asks for',
    params,
    body: z.strictObject({ comment: z.optional(z.nullable(text(longestApprovalComment))) }),
    reply: z.object({
      message: z.string(),
      approval: Approval,
      /** Of an invitation: the link to hand over. It is in this reply alone. */
      link: z.nullable(z.string()),
    }),
    refuses: [
      'approval_closed',
      'forbidden',
      'own_approval',
      'own_account',
      'approval_failed',
      'requester_left',
      'line_claimed',
    ],
  },
  decline: {
    summary: 'Decline a request, with a comment',
    params,
    body: z.strictObject({ comment: filled(longestApprovalComment) }),
    reply: ApprovalReply,
    refuses: ['approval_closed', 'forbidden', 'own_approval', 'own_account'],
  },
  withdraw: {
    summary: 'Withdraw an own request',
    params,
    reply: ApprovalReply,
    refuses: ['approval_closed', 'forbidden'],
  },
  see: {
    summary: 'Say that an own request was looked at, so that its decision is no longer a notice; 204',
    params,
    refuses: ['forbidden'],
  },
  ownRules: {
    summary: "Which of the admin's own changes need an approval",
    reply: z.object({ rules: z.array(OwnRule) }),
  },
  rules: {
    summary: 'Which actions need an approval',
    reply: z.object({
      rules: z.array(ApprovalRule),
      expiryHours: z.int(),
      /** The kinds of calls that want a recent sign-in by rule. */
      stepUp: z.array(z.enum(stepUpKinds)),
    }),
  },
  saveRule: {
    summary: 'Set whether an action needs an approval, from which amount, and of whom',
    params: z.object({ action: ApprovalAction }),
    body: RuleChange,
    reply: z.object({ message: z.string(), rule: ApprovalRule }),
    refuses: ['approver_missing'],
  },
  saveStepUp: {
    summary: 'Set whether calls of a kind want a recent sign-in',
    params: z.object({ kind: z.enum(stepUpKinds, { error: `must be one of ${stepUpKinds.join(', ')}` }) }),
    body: z.strictObject({ isOn: z.boolean() }),
    reply: z.object({ message: z.string(), stepUp: z.array(z.enum(stepUpKinds)) }),
  },
} satisfies Record<string, RouteSchemas>
