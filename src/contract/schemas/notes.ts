import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { maxNoteText } from '#contract/notes.ts'
import { filled, PlatformId, PlatformIdFilter, RowId, RowIdFilter, Timestamp } from './common.ts'

/** What an operator wrote on a member, an order or a line of the bank. It never leaves the console. */
export const Note = z.object({
  id: z.string(),
  /** The member, also of a note on an order. Null: it is on a line of the bank. */
  userId: z.nullable(z.string()),
  bankLineId: z.nullable(z.string()),
  /** Null: it is on the member. */
  order: z.nullable(z.object({ id: z.string(), orderNumber: z.string() })),
  text: z.string(),
  author: z.string(),
  /** Whether the signed-in operator wrote it, and so may edit it. */
  isOwn: z.boolean(),
  createdAt: Timestamp,
  /** Null: it stands as it was written. */
  editedAt: z.nullable(Timestamp),
  /** Null: it is not pinned. */
  pinnedBy: z.nullable(z.string()),
  version: z.int(),
})
export type Note = z.infer<typeof Note>

/** A note that names the signed-in operator by `@username`, who has not seen it. */
export const Mention = z.pick(Note, {
  id: true,
  userId: true,
  bankLineId: true,
  order: true,
  text: true,
  author: true,
  createdAt: true,
})
export type Mention = z.infer<typeof Mention>

/** A text of a note, and when it was written. */
const NoteVersion = z.object({ text: z.string(), writtenAt: Timestamp })

/** Notes on a member and their orders, on one order, or on one line of the bank. */
export const NotesQuery = z.object({ userId: PlatformIdFilter, orderId: RowIdFilter, bankLineId: RowIdFilter })
export type NotesQuery = z.infer<typeof NotesQuery>

const WrittenNote = z.strictObject({ text: filled(maxNoteText) })
const Changed = z.object({ message: z.string(), note: Note })
const Id = z.object({ id: RowId })

export const noteSchemas = {
  writeOnMember: {
    summary: 'Write a note on a member',
    params: z.object({ id: PlatformId }),
    body: WrittenNote,
    reply: Changed,
    refuses: ['member_erased'],
  },
  writeOnOrder: {
    summary: 'Write a note on an order',
    params: z.object({ id: z.string() }),
    body: WrittenNote,
    reply: Changed,
    refuses: ['member_erased'],
  },
  writeOnBankLine: { summary: 'Write a note on a line of the bank', params: Id, body: WrittenNote, reply: Changed },
  edit: {
    summary: 'Edit an own note; its earlier texts are kept',
    params: Id,
    body: WrittenNote,
    reply: Changed,
    refuses: ['forbidden', 'member_erased'],
  },
  pin: {
    summary: 'Pin a note above the activity, or unpin it',
    params: Id,
    body: z.strictObject({ isPinned: z.boolean() }),
    reply: Changed,
    refuses: ['member_erased'],
  },
  see: {
    summary: 'Say that what a note and others on the same member or order ask of the signed-in operator was seen',
    params: Id,
  },
  versions: {
    summary: 'The texts of a note, the newest first',
    params: Id,
    reply: z.object({
      userId: z.nullable(z.string()),
      bankLineId: z.nullable(z.string()),
      versions: z.array(NoteVersion),
    }),
  },
} satisfies Record<string, RouteSchemas>
