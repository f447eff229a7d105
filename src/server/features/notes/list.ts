import type { NotesQuery } from '#contract/schemas/notes.ts'
import type { ListDesign, ListRequest } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { memberRefColumns } from '#server/features/users/service.ts'
import { buildNoteColumns, joinNote } from './select.ts'

const noteList: ListDesign = {
  table: 'notes',
  at: 'created_at',
  select: { ...expressions(memberRefColumns, 'm'), ...buildNoteColumns('t') },
  join: `${joinNote('t')} JOIN members m ON m.id = t.member_id`,
}

/** Notes with their member, newest first. Few are of one member or order, so they are counted row by row. */
export const buildNoteList = ({ userId, orderId }: Partial<NotesQuery>): ListRequest => ({
  list: noteList,
  filters: [
    { rows: 'true', leaves: null },
    ...(userId ? [{ rows: 't.member_id = $value', leaves: null, value: userId }] : []),
    ...(orderId ? [{ rows: 't.order_id = $value::bigint', leaves: null, value: orderId }] : []),
  ],
})
