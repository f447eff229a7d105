import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { viewListNames } from '#contract/views.ts'
import { createdAt, identity, oneOf, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'

/** What operators have saved of a list under a name: its filters and order as its address has them, without any searched text. */
export const listViews = pgTable(
  'list_views',
  {
    id: identity(),
    ownerId: bigint('owner_id', { mode: 'string' })
      .notNull()
      .references(() => admins.id),
    list: text('list', { enum: viewListNames }).notNull(),
    name: text('name').notNull(),
    search: text('search').notNull(),
    isShared: boolean('is_shared').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [
    uniqueIndex('list_views_name').on(t.ownerId, t.list, sql`lower(${t.name})`),
    index('list_views_shared')
      .on(t.id)
      .where(sql`is_shared`),
    check('list_views_list_known', oneOf(t.list, viewListNames)),
  ],
)
