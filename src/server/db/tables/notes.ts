import { sql } from 'drizzle-orm'
import { bigint, check, index, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, version } from '#server/db/columns.ts'
import { admins } from './auth.ts'
import { bankLines } from './bank.ts'
import { orders } from './orders.ts'
import { members } from './members.ts'

const rowId = (name: string) => bigint(name, { mode: 'string' })

/** What operators wrote on members, their orders and lines of the bank. The platform never gets it. */
export const notes = pgTable(
  'notes',
  {
    id: identity(),
    /** Null: it is on a line of the bank. */
    memberId: text('member_id').references(() => members.id, { onDelete: 'cascade' }),
    bankLineId: rowId('bank_line_id').references(() => bankLines.id, { onDelete: 'cascade' }),
    /** Null: it is on the member. */
    orderId: rowId('order_id').references(() => orders.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    authorId: rowId('author_id')
      .notNull()
      .references(() => admins.id),
    createdAt: createdAt(),
    editedAt: instant('edited_at'),
    pinnedAt: instant('pinned_at'),
    pinnedBy: text('pinned_by'),
    version: version(),
    /** Lower case, accents folded: product 4.4. */
    search: text('search')
      .notNull()
      .generatedAlwaysAs(sql`fold_text(text)`),
  },
  (t) => [
    index('notes_walk').on(t.createdAt, t.id),
    index('notes_member').on(t.memberId, t.createdAt, t.id),
    index('notes_order')
      .on(t.orderId, t.createdAt, t.id)
      .where(sql`order_id IS NOT NULL`),
    index('notes_bank_line')
      .on(t.bankLineId, t.createdAt, t.id)
      .where(sql`bank_line_id IS NOT NULL`),
    check('notes_subject', sql`num_nonnulls(${t.memberId}, ${t.bankLineId}) = 1`),
    index('notes_pinned')
      .on(t.memberId, t.pinnedAt)
      .where(sql`pinned_at IS NOT NULL`),
  ],
)

/** Whom a note names by `@username`. */
export const noteMentions = pgTable(
  'note_mentions',
  {
    noteId: rowId('note_id')
      .notNull()
      .references(() => notes.id, { onDelete: 'cascade' }),
    adminId: rowId('admin_id')
      .notNull()
      .references(() => admins.id),
    seenAt: instant('seen_at'),
  },
  (t) => [
    primaryKey({ columns: [t.noteId, t.adminId] }),
    index('note_mentions_unseen')
      .on(t.adminId, t.noteId)
      .where(sql`seen_at IS NULL`),
  ],
)

/** The texts that a note had before its present one. Rows are only ever added, and go with their note. */
export const noteVersions = pgTable(
  'note_versions',
  {
    id: identity(),
    noteId: rowId('note_id')
      .notNull()
      .references(() => notes.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    /** When that text was written. */
    writtenAt: instant('written_at').notNull(),
  },
  (t) => [index('note_versions_note').on(t.noteId, t.id)],
)
