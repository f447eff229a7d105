import { instant, selectColumns } from '#server/db/select.ts'

/** What the console shows of a note with its author `w` and, where it is on one, its order `o`. */
export const buildNoteColumns = (note: string) => ({
  id: `${note}.id::text`,
  userId: `${note}.member_id`,
  order: `CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id::text, 'orderNumber', o.order_number) END`,
  text: `${note}.text`,
  author: 'w.username',
  createdAt: instant(`${note}.created_at`),
  editedAt: instant(`${note}.edited_at`),
  pinnedBy: `${note}.pinned_by`,
  version: `${note}.version`,
})

export const joinNote = (note: string) =>
  `JOIN admins w ON w.id = ${note}.author_id LEFT JOIN orders o ON o.id = ${note}.order_id`

export const noteColumns = buildNoteColumns('n')
export const noteTables = `FROM notes n ${joinNote('n')}`

export const selectNotes = `SELECT ${selectColumns({ ...noteColumns, authorId: 'n.author_id::text' })} ${noteTables}`
