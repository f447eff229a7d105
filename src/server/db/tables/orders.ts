import { sql } from 'drizzle-orm'
import { check, index, pgTable, text } from 'drizzle-orm/pg-core'
import { orderStatuses, paidVias } from '#contract/order-moves.ts'
import { changedIn, createdAt, decimal, identity, instant, oneOf, version } from '#server/db/columns.ts'
import { members } from './members.ts'

export const orders = pgTable(
  'orders',
  {
    id: identity(),
    orderNumber: text('order_number').notNull().unique('orders_number'),
    memberId: text('member_id')
      .notNull()
      .references(() => members.id),
    projectId: text('project_id').notNull(),
    projectName: text('project_name').notNull(),
    investmentAmount: decimal('investment_amount').notNull(),
    currency: text('currency').notNull(),
    status: text('status', { enum: orderStatuses }).notNull().default('waiting_payment'),
    notes: text('notes'),
    bankName: text('bank_name').notNull(),
    accountHolder: text('account_holder').notNull(),
    accountNumber: text('account_number').notNull(),
    iban: text('iban').notNull(),
    swift: text('swift').notNull(),
    paymentInstructions: text('payment_instructions').notNull(),
    expiresAt: instant('expires_at').notNull(),
    createdAt: createdAt(),
    paidAt: instant('paid_at'),
    completedAt: instant('completed_at'),
    /** How it was paid. Null while it is not. */
    paidVia: text('paid_via', { enum: paidVias }),
    /** The sum of its active allocations of bank lines; a trigger keeps it (migration `kept_columns`). */
    received: decimal('received').notNull().default('0.00'),
    /** ISO 11649: the order number where no other number can have the same letters and digits, else the id. */
    paymentReference: text('payment_reference')
      .notNull()
      .unique('orders_payment_reference')
      .generatedAlwaysAs(sql`order_payment_reference(order_number, id)`),
    statusChangedBy: text('status_changed_by'),
    statusChangedAt: instant('status_changed_at'),
    version: version(),
    changedIn: changedIn(),
    /** The member's own search text; triggers keep it (migration `derived_columns`). */
    memberSearch: text('member_search').notNull().default(''),
    /** Member, project and number, a line break between each; lower case, accents folded: product 4.4. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(
        sql`member_search || E'\\n' || fold_text(project_name) || E'\\n' || fold_text(project_id) || E'\\n' || fold_text(order_number)`,
      ),
  },
  (t) => [
    index('orders_changed').on(t.changedIn, t.id),
    index('orders_walk').on(t.createdAt, t.id),
    index('orders_status').on(t.status, t.createdAt, t.id),
    index('orders_member').on(t.memberId, t.createdAt, t.id),
    index('orders_amount').on(t.investmentAmount, t.createdAt, t.id),
    /** Largest and smallest first inside a currency; `status` spares a filter the table. */
    index('orders_currency_amount').on(t.currency, t.investmentAmount, t.createdAt, t.id, t.status),
    /** Expires soonest: what the expression reads stands behind it, so that the index alone is read. */
    index('orders_soonest').on(
      sql`(CASE status WHEN 'waiting_payment' THEN expires_at ELSE 'infinity'::timestamptz END)`,
      t.createdAt,
      t.id,
      t.status,
      t.expiresAt,
    ),
    index('orders_due')
      .on(t.expiresAt)
      .where(sql`status = 'waiting_payment'`),
    index('orders_ended_paid')
      .on(t.id)
      .where(sql`status IN ('expired', 'cancelled') AND received > 0`),
    index('orders_owed')
      .on(t.id)
      .where(sql`status = 'completed' AND paid_via = 'bank' AND received < investment_amount`),
    check('orders_paid_via_known', oneOf(t.paidVia, paidVias)),
    check('orders_received_range', sql`${t.received} >= 0 AND ${t.received} <= ${t.investmentAmount}`),
    // What was paid by the bank's money is covered by it, no matter who writes. Of what is completed the bank may take it back.
    check(
      'orders_paid_by_bank_covered',
      sql`${t.paidVia} IS DISTINCT FROM 'bank' OR ${t.received} = ${t.investmentAmount} OR ${t.status} = 'completed'`,
    ),
    check('orders_status_known', oneOf(t.status, orderStatuses)),
    check('orders_currency_form', sql`${t.currency} ~ '^[A-Z]{3}$'`),
    check(
      'orders_amount_range',
      sql`${t.investmentAmount} > 0 AND ${t.investmentAmount} < 1e15 AND scale(${t.investmentAmount}) <= 3`,
    ),
  ],
)

/** Members with many orders whose name or e-mail has changed, until their orders are found by it. */
export const orderSearchDue = pgTable('order_search_due', {
  memberId: text('member_id')
    .primaryKey()
    .references(() => members.id, { onDelete: 'cascade' }),
  createdAt: createdAt(),
})
