import { sql } from 'drizzle-orm'
import { bigint, boolean, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { createdAt, identity, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'

/** Reasons of rejections that operators keep for the next case. They are about no member. */
export const reasonTemplates = pgTable(
  'reason_templates',
  {
    id: identity(),
    ownerId: bigint('owner_id', { mode: 'string' })
      .notNull()
      .references(() => admins.id),
    name: text('name').notNull(),
    language: text('language').notNull(),
    text: text('text').notNull(),
    isShared: boolean('is_shared').notNull(),
    createdAt: createdAt(),
    version: version(),
  },
  (t) => [uniqueIndex('reason_templates_name').on(t.ownerId, t.language, sql`lower(${t.name})`)],
)
