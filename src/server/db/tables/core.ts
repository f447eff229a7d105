import { bigint, date, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { decimal, identity, instant, transactionId } from '#server/db/columns.ts'

/** Facts about this database, such as that it contains demo data. */
export const settings = pgTable('settings', { name: text('name').primaryKey(), value: jsonb('value').notNull() })

/** Work that one server at a time does, such as reading the chain (`db/lease.ts`). */
export const leases = pgTable('leases', {
  name: text('name').primaryKey(),
  /** A new one each time that it is taken, so that anyone who had it before is told apart. */
  holder: uuid('holder').notNull(),
  /** For people: the host name and the process. */
  server: text('server').notNull(),
  heldUntil: instant('held_until').notNull(),
})

/**
 * Running transactions at certain times: all changes committed from `at` on were written by transactions from
 * `openFrom` on. A job records it every minute, so that changes can be listed since an instant.
 */
export const changeMarks = pgTable('change_marks', {
  at: instant('at').primaryKey(),
  openFrom: transactionId('open_from').notNull(),
})

/**
 * Exact counts of long lists, as `declareCounts` says. Statement triggers append to `list_deltas` what each statement
 * changed (no hot row); a job folds the deltas into the totals and days. A count is totals plus deltas, in one snapshot.
 */
export const listDeltas = pgTable('list_deltas', {
  id: identity(),
  list: text('list').notNull(),
  /** What a row is counted under, such as `deposit/completed`. */
  leaf: text('leaf').notNull(),
  day: date('day', { mode: 'string' }).notNull(),
  rows: bigint('rows', { mode: 'number' }).notNull(),
  amount: decimal('amount').notNull().default('0'),
})

export const listTotals = pgTable(
  'list_totals',
  {
    list: text('list').notNull(),
    leaf: text('leaf').notNull(),
    rows: bigint('rows', { mode: 'number' }).notNull(),
    amount: decimal('amount').notNull().default('0'),
  },
  (t) => [primaryKey({ columns: [t.list, t.leaf] })],
)

/** The same counts a UTC day, so that a deep page is found by its day instead of by walking to it. */
export const listDays = pgTable(
  'list_days',
  {
    list: text('list').notNull(),
    leaf: text('leaf').notNull(),
    day: date('day', { mode: 'string' }).notNull(),
    rows: bigint('rows', { mode: 'number' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.list, t.day, t.leaf] })],
)
