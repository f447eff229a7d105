import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { longestOperatorReason, longestUsername, operatorStates } from '#contract/operators.ts'
import { Role } from './account.ts'
import { filled, RowId, text, Timestamp } from './common.ts'

export const Operator = z.object({
  id: z.string(),
  username: z.string(),
  role: Role,
  state: z.enum(operatorStates),
  createdAt: Timestamp,
  lastSignInAt: z.nullable(Timestamp),
  /** What the audit log says that the operator did last, other than to sign in and out. */
  lastAction: z.nullable(z.object({ action: z.string(), at: Timestamp })),
  /** How many sessions are open. */
  sessions: z.int(),
  /** Until when the invitation works. Null where there is none that does. */
  invitedUntil: z.nullable(Timestamp),
  /** Who made the latest invitation. Null of whom nobody invited. */
  invitedBy: z.nullable(z.string()),
  /** Who approved it, and was shown its link. */
  invitationApprovedBy: z.nullable(z.string()),
  /** Second factors, and recovery codes that are left. */
  factors: z.object({ passkeys: z.int(), apps: z.int(), recoveryCodes: z.int() }),
  version: z.int(),
})
export type Operator = z.infer<typeof Operator>

export const NewOperator = z.strictObject({ username: text(longestUsername, 1), role: Role })
export type NewOperator = z.infer<typeof NewOperator>

/** The link is in this reply alone. */
export const Invitation = z.object({ message: z.string(), operator: Operator, link: z.string() })
export type Invitation = z.infer<typeof Invitation>

const OperatorReply = z.object({ message: z.string(), operator: Operator })
const params = z.object({ id: RowId })
const Reason = z.strictObject({ reason: filled(longestOperatorReason) })

export const operatorSchemas = {
  list: { summary: 'All operators, by name', reply: z.object({ operators: z.array(Operator) }) },
  invite: {
    summary: 'Invite an operator; answers a link to set a password with, once',
    body: NewOperator,
    reply: Invitation,
    refuses: ['username_taken', 'operator_limit'],
  },
  renewInvitation: {
    summary: 'A new link for an operator who has set no password yet; the earlier one ends',
    params,
    reply: Invitation,
    refuses: ['operator_state'],
  },
  setRole: {
    summary: 'Change the role of an operator, and end their sessions',
    params,
    body: z.strictObject({ role: Role }),
    reply: OperatorReply,
    refuses: ['operator_state', 'own_account', 'last_super_admin'],
  },
  disable: {
    summary: 'Disable an operator, and end their sessions',
    params,
    body: Reason,
    reply: OperatorReply,
    refuses: ['operator_state', 'own_account', 'last_super_admin'],
  },
  enable: {
    summary: 'Enable a disabled operator',
    params,
    body: Reason,
    reply: OperatorReply,
    refuses: ['operator_state'],
  },
  resetFactors: {
    summary: 'Take away the second factors and recovery codes of an operator, and end their sessions',
    params,
    body: Reason,
    reply: OperatorReply,
    refuses: ['operator_state', 'own_account'],
  },
  endSessions: { summary: 'End all sessions of an operator', params, reply: OperatorReply },
} satisfies Record<string, RouteSchemas>
