import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { writeOffCodes, allocationPurposes, policyVerdicts, refundCauses } from '#contract/bank-allocations.ts'
import type { BankAllocation } from '#contract/schemas/bank-allocations.ts'
import { areTogether, changedIn, createdAt, decimal, identity, instant, oneOf, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'
import { bankLines } from './bank.ts'
import { orders } from './orders.ts'
import { members } from './members.ts'

const rowId = (name: string) => bigint(name, { mode: 'string' })

/** Allocations of the lines' money, each with one purpose. A row is never changed but for being undone, once: triggers see to it. */
export const bankAllocations = pgTable(
  'bank_allocations',
  {
    id: identity(),
    lineId: rowId('line_id')
      .notNull()
      .references(() => bankLines.id),
    purpose: text('purpose', { enum: allocationPurposes }).notNull(),
    /** Of `order` the one that it pays, of `refund` the one that it was meant for. */
    orderId: rowId('order_id').references(() => orders.id),
    /** The line on the other side of a refund, a reversal or a return. */
    otherLineId: rowId('other_line_id').references(() => bankLines.id),
    amount: decimal('amount').notNull(),
    cause: text('cause', { enum: refundCauses }),
    code: text('code', { enum: writeOffCodes }),
    reason: text('reason'),
    rule: text('rule', { enum: ['exact', 'hand'] }).notNull(),
    /** Another than the member paid, as it seemed when it was decided. */
    isThirdParty: boolean('is_third_party').notNull().default(false),
    /** What was shown when it was decided. */
    evidence: jsonb('evidence').$type<BankAllocation['evidence']>().notNull(),
    /** What the policy would have done with the line. Null where it is not a decision about a credit. */
    policyVerdict: text('policy_verdict', { enum: policyVerdicts }),
    madeBy: text('made_by').notNull(),
    madeAt: instant('made_at')
      .notNull()
      .default(sql`now()`),
    undoneBy: text('undone_by'),
    undoneAt: instant('undone_at'),
    undoReason: text('undo_reason'),
    /** The decision which made it, and the one which undid it, where that touched both lines. */
    madeWith: uuid('made_with'),
    undoneWith: uuid('undone_with'),
    /** Of the line, for the sums of an account; a trigger fills them. */
    accountId: rowId('account_id').notNull().default('0'),
    direction: text('direction').notNull().default(''),
    changedIn: changedIn(),
  },
  (t) => [
    uniqueIndex('bank_allocations_once')
      .on(t.lineId, t.orderId)
      .where(sql`undone_at IS NULL AND purpose = 'order'`),
    index('bank_allocations_line').on(t.lineId, t.id),
    index('bank_allocations_order')
      .on(t.orderId, t.id)
      .where(sql`order_id IS NOT NULL`),
    index('bank_allocations_other_line')
      .on(t.otherLineId)
      .where(sql`other_line_id IS NOT NULL`),
    index('bank_allocations_refunds')
      .on(t.lineId)
      .where(sql`purpose = 'refund' AND direction = 'credit' AND undone_at IS NULL`),
    index('bank_allocations_changed').on(t.changedIn, t.id),
    check('bank_allocations_purpose_known', oneOf(t.purpose, allocationPurposes)),
    check('bank_allocations_cause_known', oneOf(t.cause, refundCauses)),
    check('bank_allocations_code_known', oneOf(t.code, writeOffCodes)),
    check('bank_allocations_verdict_known', oneOf(t.policyVerdict, policyVerdicts)),
    check('bank_allocations_rule_known', oneOf(t.rule, ['exact', 'hand'])),
    check('bank_allocations_amount_positive', sql`${t.amount} > 0`),
    check('bank_allocations_order_named', sql`${t.purpose} <> 'order' OR ${t.orderId} IS NOT NULL`),
    check(
      'bank_allocations_refund_explained',
      sql`${t.purpose} <> 'refund' OR ${t.cause} IS NOT NULL OR ${t.otherLineId} IS NOT NULL`,
    ),
    check('bank_allocations_ignored_explained', sql`(${t.purpose} = 'ignored') = (${t.code} IS NOT NULL)`),
    check('bank_allocations_undone_whole', areTogether(t.undoneAt, t.undoneBy, t.undoReason)),
    check('bank_allocations_undone_with_undone', sql`${t.undoneWith} IS NULL OR ${t.undoneAt} IS NOT NULL`),
  ],
)

/** Accounts from which members have paid. One that several members have paid from proves nothing. */
export const payerAccounts = pgTable(
  'payer_accounts',
  {
    /** An IBAN without blanks, or another account number. */
    account: text('account').notNull(),
    memberId: text('member_id')
      .notNull()
      .references(() => members.id),
    lineId: rowId('line_id')
      .notNull()
      .references(() => bankLines.id),
    confirmedBy: text('confirmed_by').notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    primaryKey({ columns: [t.account, t.memberId] }),
    index('payer_accounts_member').on(t.memberId),
    index('payer_accounts_line').on(t.lineId),
  ],
)

/** Which operator has a line open, until when. */
export const bankClaims = pgTable('bank_claims', {
  lineId: rowId('line_id')
    .primaryKey()
    .references(() => bankLines.id),
  adminId: rowId('admin_id')
    .notNull()
    .references(() => admins.id),
  claimedUntil: instant('claimed_until').notNull(),
})

/** What may be applied together: one row (product 7.11). */
export const bankPolicy = pgTable(
  'bank_policy',
  {
    id: integer('id').primaryKey().default(1),
    autoApply: boolean('auto_apply').notNull().default(false),
    autoCombined: boolean('auto_combined').notNull().default(false),
    autoRemainder: boolean('auto_remainder').notNull().default(false),
    payerName: text('payer_name', { enum: ['same', 'initial'] })
      .notNull()
      .default('same'),
    feeTolerance: decimal('fee_tolerance').notNull().default('35.00'),
    graceDays: integer('grace_days').notNull().default(1),
    overpaidUpTo: decimal('overpaid_up_to').notNull().default('0.00'),
    reasonForThirdParty: boolean('reason_for_third_party').notNull().default(true),
    maxAutoAmount: decimal('max_auto_amount'),
    changedBy: text('changed_by'),
    changedAt: instant('changed_at'),
    version: version(),
    /** Up to which transaction changes of orders, members and payers have been followed; null before the first time. */
    refreshedTo: text('refreshed_to'),
  },
  (t) => [
    check('bank_policy_one_row', sql`${t.id} = 1`),
    check('bank_policy_grace_range', sql`${t.graceDays} BETWEEN 0 AND 7`),
    check('bank_policy_payer_name_known', oneOf(t.payerName, ['same', 'initial'])),
  ],
)

/** The name keys of members with open orders, to look up a payer's name. Kept by the pass that proposes matches. */
export const payerNames = pgTable(
  'payer_names',
  {
    memberId: text('member_id')
      .primaryKey()
      .references(() => members.id),
    /** The name that the keys are of, to see when it has changed. */
    name: text('name').notNull(),
    keys: text('keys').array().notNull(),
  },
  (t) => [index('payer_names_keys').using('gin', t.keys)],
)
