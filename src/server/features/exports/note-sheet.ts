import type { Note, NotesQuery } from '#contract/schemas/notes.ts'
import { buildNoteList } from '#server/features/notes/service.ts'
import { defineSheet, memberColumns } from './sheet.ts'

/** A note and the member that it is of. */
interface NoteRow extends Omit<Note, 'id'> {
  /** The member's. */
  email: string
  legalFirstName: string | null
  legalLastName: string | null
}

export const noteSheet = defineSheet<NotesQuery, NoteRow>(buildNoteList, {
  Date: (note) => note.createdAt,
  Author: (note) => note.author,
  ...memberColumns(({ userId, email, legalFirstName, legalLastName }: NoteRow) => ({
    id: userId,
    email,
    legalFirstName,
    legalLastName,
  })),
  'Order Number': (note) => note.order && note.order.orderNumber,
  Note: (note) => note.text,
  Edited: (note) => note.editedAt,
  'Pinned By': (note) => note.pinnedBy,
})
