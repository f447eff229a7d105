import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { approvalActions, approvalStates, approvalTargets } from '#contract/approvals.ts'
import { roleNames } from '#contract/permissions.ts'
import type { PlannedChange } from '#contract/schemas/approvals.ts'
import type { CallName } from '#contract/schemas/routes.ts'
import { decimal, identity, instant, oneOf, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'

/** Which actions need an approval. An action without a row needs none (product 2.11). */
export const approvalRules = pgTable(
  'approval_rules',
  {
    action: text('action', { enum: approvalActions }).primaryKey(),
    isOn: boolean('is_on').notNull(),
    /** Null: whatever the amount. */
    fromAmount: decimal('from_amount'),
    currency: text('currency'),
    /** Null: operators of every role. */
    roles: text('roles', { enum: roleNames }).array(),
    changedBy: text('changed_by').notNull(),
    changedAt: instant('changed_at')
      .notNull()
      .default(sql`now()`),
    version: version(),
  },
  (t) => [
    check('approval_rules_action_known', oneOf(t.action, approvalActions)),
    check('approval_rules_amount_with_currency', sql`(${t.fromAmount} IS NULL) = (${t.currency} IS NULL)`),
  ],
)

const adminId = (name: string) => bigint(name, { mode: 'string' }).references(() => admins.id)

/** A call that waits for a second operator, as it was made; once it is closed, who closed it and how. */
export const approvals = pgTable(
  'approvals',
  {
    id: identity(),
    action: text('action', { enum: approvalActions }).notNull(),
    state: text('state', { enum: approvalStates }).notNull().default('open'),
    call: text('call').$type<CallName>().notNull(),
    params: jsonb('params').$type<Record<string, unknown>>().notNull(),
    body: jsonb('body').$type<unknown>(),
    /** The version of the target that the call was made on. Null for what has none. */
    targetVersion: integer('target_version'),
    targetType: text('target_type', { enum: approvalTargets }).notNull(),
    targetId: text('target_id').notNull(),
    targetName: text('target_name').notNull(),
    /** No foreign key: it says whom a request was about, also after the member is gone. */
    memberId: text('member_id'),
    amount: decimal('amount'),
    currency: text('currency'),
    changes: jsonb('changes').$type<PlannedChange[]>().notNull(),
    requestedBy: adminId('requested_by').notNull(),
    /** The address of the request, for the audit row of the change. */
    requestedFrom: text('requested_from'),
    requestedAt: instant('requested_at')
      .notNull()
      .default(sql`now()`),
    expiresAt: instant('expires_at').notNull(),
    decidedBy: adminId('decided_by'),
    closedAt: instant('closed_at'),
    comment: text('comment'),
    failure: text('failure'),
    /** When the requester opened it after it was closed by others. A withdrawn one needs none. */
    seenAt: instant('seen_at'),
    /** From then on nothing here tells the member whom it was about (product 7.13). */
    erasedAt: instant('erased_at'),
  },
  (t) => [
    index('approvals_walk').on(t.requestedAt, t.id),
    index('approvals_target').on(t.targetType, t.targetId, t.requestedAt),
    uniqueIndex('approvals_open')
      .on(t.action, t.targetType, t.targetId)
      .where(sql`state = 'open'`),
    index('approvals_due')
      .on(t.expiresAt)
      .where(sql`state = 'open'`),
    index('approvals_unseen')
      .on(t.requestedBy)
      .where(sql`seen_at IS NULL AND state NOT IN ('open', 'withdrawn')`),
    check('approvals_action_known', oneOf(t.action, approvalActions)),
    check('approvals_state_known', oneOf(t.state, approvalStates)),
    check('approvals_target_known', oneOf(t.targetType, approvalTargets)),
    check('approvals_four_eyes', sql`${t.requestedBy} <> ${t.decidedBy}`),
    check('approvals_decided', sql`(${t.decidedBy} IS NOT NULL) = (${t.state} IN ('approved', 'declined', 'failed'))`),
    check('approvals_closed', sql`(${t.closedAt} IS NOT NULL) = (${t.state} <> 'open')`),
    check('approvals_seen', sql`${t.seenAt} IS NULL OR ${t.state} <> 'open'`),
  ],
)
