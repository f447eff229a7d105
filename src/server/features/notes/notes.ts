import { and, eq, inArray, isNotNull, or, type SQL, sql } from 'drizzle-orm'
import { mostLineNotes, mostMentions } from '#contract/notes.ts'
import type { Mention, Note, NotesQuery } from '#contract/schemas/notes.ts'
import { RowId } from '#contract/schemas/common.ts'
import { announce, audit, type AuditEntry } from '#server/core/audit.ts'
import { adminOf, type Ctx, hasPermission, inTransaction } from '#server/core/context.ts'
import { erasedMemberError } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { noteVersions, notes } from '#server/db/tables/notes.ts'
import { bankLines } from '#server/db/tables/bank.ts'
import { orders } from '#server/db/tables/orders.ts'
import { members } from '#server/db/tables/members.ts'
import { AppError, notFound, requireVersion } from '#server/lib/errors.ts'
import type { ListDesign, ListRequest } from '#server/db/list.ts'
import { expressions, instant, selectColumns } from '#server/db/select.ts'
import { memberRefColumns } from '#server/features/members/service.ts'
import { saveMentions } from './mentions.ts'

/** What the console shows of a note with its author `w` and, where it is on one, its order `o`. */
const buildNoteColumns = (note: string) => ({
  id: `${note}.id::text`,
  userId: `${note}.member_id`,
  bankLineId: `${note}.bank_line_id::text`,
  order: `CASE WHEN o.id IS NOT NULL THEN json_build_object('id', o.id::text, 'orderNumber', o.order_number) END`,
  text: `${note}.text`,
  author: 'w.username',
  createdAt: instant(`${note}.created_at`),
  editedAt: instant(`${note}.edited_at`),
  pinnedBy: `${note}.pinned_by`,
  version: `${note}.version`,
})

const joinNote = (note: string) =>
  `JOIN admins w ON w.id = ${note}.author_id LEFT JOIN orders o ON o.id = ${note}.order_id`

export const noteColumns = buildNoteColumns('n')
export const noteTables = `FROM notes n ${joinNote('n')}`

const selectNotes = `SELECT ${selectColumns({ ...noteColumns, authorId: 'n.author_id::text' })} ${noteTables}`

const noteList: ListDesign = {
  table: 'notes',
  at: 'created_at',
  select: { ...expressions(memberRefColumns, 'm'), ...buildNoteColumns('t') },
  join: `${joinNote('t')} LEFT JOIN members m ON m.id = t.member_id`,
}

/** Notes with their member, newest first. Few are of one member or order, so they are counted row by row. */
export const buildNoteList = ({ userId, orderId, bankLineId }: Partial<NotesQuery>): ListRequest => ({
  list: noteList,
  filters: [
    { rows: 'true', leaves: null },
    ...(userId ? [{ rows: 't.member_id = $value', leaves: null, value: userId }] : []),
    ...(orderId ? [{ rows: 't.order_id = $value::bigint', leaves: null, value: orderId }] : []),
    ...(bankLineId ? [{ rows: 't.bank_line_id = $value::bigint', leaves: null, value: bankLineId }] : []),
  ],
})

/** What a note is on: a line of the bank, or a member, and where `orderId` is not null an order of theirs. */
interface Subject {
  memberId: string | null
  bankLineId: string | null
  orderId: string | null
  orderNumber: string | null
}
type NoteRow = typeof notes.$inferSelect

/** The member, who cannot be erased until the transaction ends. Throws not_found, member_erased. */
async function lockMember(tx: Tx, id: string): Promise<void> {
  const [member] = await tx
    .select({ erasedAt: members.erasedAt })
    .from(members)
    .where(eq(members.id, id))
    .for('key share')
  if (!member) throw notFound('User')
  if (member.erasedAt !== null) throw erasedMemberError(id)
}

async function findOrder(tx: Tx, id: string): Promise<Subject> {
  const { memberId, id: orderId, orderNumber } = orders
  const wanted = RowId.safeParse(id).data
  const [order] = wanted
    ? await tx.select({ memberId, orderId, orderNumber }).from(orders).where(eq(orderId, wanted))
    : []
  if (!order) throw notFound('Order')
  return { ...order, bankLineId: null }
}

/** The line, whose import cannot be undone until the transaction ends. Throws not_found. */
async function lockBankLine(tx: Tx, id: string): Promise<void> {
  const [line] = await tx.select({ id: bankLines.id }).from(bankLines).where(eq(bankLines.id, id)).for('key share')
  if (!line) throw notFound('Bank line')
}

function targetOf({ memberId, orderId, bankLineId }: Omit<Subject, 'orderNumber'>) {
  if (bankLineId !== null) return { type: 'bank_line', id: bankLineId }
  return orderId === null ? { type: 'user', id: memberId! } : { type: 'order', id: orderId }
}

async function readNote(tx: Tx, ctx: Ctx, id: string): Promise<Note> {
  const { rows } = await tx.execute<Note & Record<string, unknown>>(sql`${sql.raw(selectNotes)} WHERE n.id = ${id}`)
  const [note] = rows
  return { ...note!, isOwn: rows[0]!.authorId === adminOf(ctx).id }
}

/** Writes the audit row of a note, announces it and returns the note as it is now. */
async function recordChange(
  tx: Tx,
  ctx: Ctx,
  { id, ...subject }: Subject & { id: string },
  entry: Pick<AuditEntry, 'action'> & { texts?: Record<string, unknown> },
): Promise<Note> {
  const { action, texts } = entry
  await audit(tx, ctx, {
    action,
    target: targetOf(subject),
    details: { noteId: id, ...(subject.orderNumber !== null && { orderNumber: subject.orderNumber }) },
    ...(texts && { personal: { memberId: subject.memberId, details: texts } }),
  })
  await announce(tx, ...(subject.bankLineId === null ? (['users', 'orders'] as const) : (['bank'] as const)))
  return readNote(tx, ctx, id)
}

async function insertNote(tx: Tx, ctx: Ctx, subject: Subject, text: string): Promise<Note> {
  const { memberId, orderId, bankLineId } = subject
  const [written] = await tx
    .insert(notes)
    .values({ memberId, orderId, bankLineId, text, authorId: adminOf(ctx).id })
    .returning({ id: notes.id })
  await saveMentions(tx, ctx, written!.id, text)
  return recordChange(tx, ctx, { ...subject, id: written!.id }, { action: 'write_note', texts: { text } })
}

/** Writes a note on a member. Throws not_found, member_erased. */
export const writeMemberNote = (ctx: Ctx, memberId: string, text: string): Promise<Note> =>
  inTransaction(ctx, async (tx) => {
    await lockMember(tx, memberId)
    return insertNote(tx, ctx, { memberId, bankLineId: null, orderId: null, orderNumber: null }, text.trim())
  })

/** Writes a note on an order. Throws not_found, member_erased. */
export const writeOrderNote = (ctx: Ctx, orderId: string, text: string): Promise<Note> =>
  inTransaction(ctx, async (tx) => {
    const order = await findOrder(tx, orderId)
    await lockMember(tx, order.memberId!)
    return insertNote(tx, ctx, order, text.trim())
  })

/** Writes a note on a line of the bank. Throws not_found. */
export const writeBankLineNote = (ctx: Ctx, bankLineId: string, text: string): Promise<Note> =>
  inTransaction(ctx, async (tx) => {
    await lockBankLine(tx, bankLineId)
    return insertNote(tx, ctx, { memberId: null, bankLineId, orderId: null, orderNumber: null }, text.trim())
  })

/** Whether the admin may view what the note is on. */
const mayViewNote = (ctx: Ctx, { orderId, bankLineId }: Pick<NoteRow, 'orderId' | 'bankLineId'>) =>
  hasPermission(ctx, bankLineId !== null ? 'bank.view' : orderId === null ? 'members.view' : 'orders.view')

/** Locks a note that the admin may view, and its member or line. Throws not_found, member_erased. */
async function lockNote(tx: Tx, ctx: Ctx, id: string): Promise<NoteRow & Subject> {
  const { memberId, bankLineId } = notes
  const [found] = await tx.select({ memberId, bankLineId }).from(notes).where(eq(notes.id, id))
  if (!found) throw notFound('Note')
  // The member first, as in an erasure.
  if (found.memberId !== null) await lockMember(tx, found.memberId)
  else await lockBankLine(tx, found.bankLineId!)
  const [note] = await tx.select().from(notes).where(eq(notes.id, id)).for('no key update')
  if (!note || !mayViewNote(ctx, note)) throw notFound('Note')
  const orderNumber = note.orderId === null ? null : (await findOrder(tx, note.orderId)).orderNumber
  return { ...note, orderNumber }
}

/** Replaces the text of an own note, whose earlier text is kept. Throws not_found, forbidden for another's, stale. */
export const editNote = (ctx: Ctx, id: string, given: string, ifMatch: number | undefined): Promise<Note> =>
  inTransaction(ctx, async (tx) => {
    const note = await lockNote(tx, ctx, id)
    if (note.authorId !== adminOf(ctx).id) throw new AppError('forbidden', 'Only who wrote a note may edit it')
    requireVersion(ifMatch, note.version, () => {
      const details = { version: note.version }
      return new AppError('stale', 'This note was edited meanwhile. Reload and decide again.', { details })
    })
    const text = given.trim()
    if (text === note.text) return readNote(tx, ctx, id)
    await tx.insert(noteVersions).values({ noteId: id, text: note.text, writtenAt: note.editedAt ?? note.createdAt })
    await tx
      .update(notes)
      .set({ text, editedAt: sql`now()`, version: note.version + 1 })
      .where(eq(notes.id, id))
    await saveMentions(tx, ctx, id, text)
    return recordChange(tx, ctx, note, { action: 'edit_note', texts: { before: { text: note.text }, after: { text } } })
  })

/** Pins a note above the activity, or unpins it. One that is as it should be stays so. Throws not_found. */
export const pinNote = (ctx: Ctx, id: string, isPinned: boolean): Promise<Note> =>
  inTransaction(ctx, async (tx) => {
    const note = await lockNote(tx, ctx, id)
    if ((note.pinnedAt !== null) === isPinned) return readNote(tx, ctx, id)
    await tx
      .update(notes)
      .set(isPinned ? { pinnedAt: sql`now()`, pinnedBy: adminOf(ctx).name } : { pinnedAt: null, pinnedBy: null })
      .where(eq(notes.id, id))
    return recordChange(tx, ctx, note, { action: isPinned ? 'pin_note' : 'unpin_note' })
  })

/** The notes on a line of the bank, the pinned first; none for who may not view notes. */
export async function readBankLineNotes(ctx: Ctx, id: string): Promise<Note[]> {
  if (!hasPermission(ctx, 'notes.view')) return []
  const { rows } = await ctx.reads.query<Note & { authorId: string }>({
    name: 'bank_line_notes',
    text: `${selectNotes} WHERE n.bank_line_id = $1::bigint
      ORDER BY n.pinned_at DESC NULLS LAST, n.created_at DESC, n.id DESC LIMIT ${mostLineNotes}`,
    values: [id],
  })
  const own = adminOf(ctx).id
  return rows.map(({ authorId, ...note }) => ({ ...note, isOwn: authorId === own }))
}

/** The newest notes that name the admin, who has not seen them and may view what they are on. */
export async function listMentions(ctx: Ctx): Promise<Mention[]> {
  if (!hasPermission(ctx, 'notes.view')) return []
  const { id, userId, bankLineId, order, text, author, createdAt } = noteColumns
  const { rows } = await ctx.database.pool.query<Mention>({
    name: 'mentions',
    text: `SELECT ${selectColumns({ id, userId, bankLineId, order, text, author, createdAt })} ${noteTables}
      JOIN note_mentions x ON x.note_id = n.id
      WHERE x.admin_id = $1::bigint AND x.seen_at IS NULL AND CASE
        WHEN n.bank_line_id IS NOT NULL THEN $4::boolean WHEN n.order_id IS NULL THEN $2::boolean ELSE $3 END
      ORDER BY n.created_at DESC, n.id DESC LIMIT ${mostMentions}`,
    values: [
      adminOf(ctx).id,
      ...(['members.view', 'orders.view', 'bank.view'] as const).map((view) => hasPermission(ctx, view)),
    ],
  })
  return rows
}

/** The texts of a note, the newest first. Throws not_found. */
export async function readNoteVersions(ctx: Ctx, id: string) {
  const { db } = ctx.database
  const [note] = await db.select().from(notes).where(eq(notes.id, id))
  if (!note || !mayViewNote(ctx, note)) throw notFound('Note')
  const { text, writtenAt } = noteVersions
  const earlier = await db
    .select({ text, writtenAt })
    .from(noteVersions)
    .where(eq(noteVersions.noteId, id))
    .orderBy(sql`${noteVersions.id} DESC`)
  const present = { text: note.text, writtenAt: note.editedAt ?? note.createdAt }
  return { userId: note.memberId, bankLineId: note.bankLineId, versions: [present, ...earlier] }
}

/** Deletes the notes on a member and their orders, with what they said before. Returns how many. */
export async function eraseNotes(tx: Tx, memberId: string): Promise<number> {
  const deleted = await tx.delete(notes).where(eq(notes.memberId, memberId)).returning({ id: notes.id })
  return deleted.length
}

/** Deletes the notes on these lines of the bank, and those on others of which `isTold` holds. */
export async function eraseBankLineNotes(tx: Tx, lineIds: readonly string[], isTold: SQL): Promise<void> {
  const { bankLineId } = notes
  await tx.delete(notes).where(and(isNotNull(bankLineId), or(inArray(bankLineId, lineIds), isTold)))
}
