import { sql } from 'drizzle-orm'
import { bigint, check, index, integer, pgTable, text } from 'drizzle-orm/pg-core'
import { readKinds } from '#contract/data-access.ts'
import { identity, instant, oneOf } from '#server/db/columns.ts'

/** Which operator read data of members. A read of many members is one row. */
export const dataAccess = pgTable(
  'data_access',
  {
    id: identity(),
    adminId: bigint('admin_id', { mode: 'string' }).notNull(),
    /** No foreign key, because a session that has ended is deleted. */
    sessionId: bigint('session_id', { mode: 'string' }).notNull(),
    kind: text('kind', { enum: readKinds }).notNull(),
    /** The member whose page, case or order was opened. Null: a list, or an exported one. */
    target: text('target'),
    /** 0: sent to the console before it was opened, which may never have happened. */
    rows: integer('rows').notNull(),
    /** Numbers by which the different members of a day are counted; null of an export. */
    members: integer('members').array(),
    at: instant('at')
      .notNull()
      .default(sql`now()`),
  },
  (t) => [
    index('data_access_target')
      .on(t.target, t.at)
      .where(sql`target IS NOT NULL`),
    index('data_access_age').on(t.at),
    index('data_access_operator').on(t.adminId, t.at),
    check('data_access_kind_known', oneOf(t.kind, readKinds)),
  ],
)
