import { and, eq, isNull, ne, notInArray, sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { admins } from '#server/db/tables/auth.ts'
import { noteMentions } from '#server/db/tables/notes.ts'
import { isActive } from '#server/features/auth/service.ts'
import { notFound } from '#server/lib/errors.ts'

const isWordCharacter = (character: string | undefined) =>
  character !== undefined && /[\p{L}\p{N}\p{M}_-]/u.test(character)

/** The usernames that a text names by `@username`, in any case; of two that fit at one place the longer. */
export function findMentioned(text: string, usernames: readonly string[]): string[] {
  const lower = text.toLowerCase()
  const byLength = usernames.toSorted((one, other) => other.length - one.length)
  const places = [...lower.matchAll(/@/g)].map(({ index }) => index).filter((at) => !isWordCharacter(lower[at - 1]))
  const found = places.map((at) =>
    byLength.find((name) => {
      const wanted = name.toLowerCase()
      return lower.startsWith(wanted, at + 1) && !isWordCharacter(lower[at + 1 + wanted.length])
    }),
  )
  return [...new Set(found.filter((name) => name !== undefined))]
}

/** Keeps whom a note names now, except its author. Who is not named any more need not see it. */
export async function saveMentions(tx: Tx, ctx: Ctx, noteId: string, text: string): Promise<void> {
  const { id, username } = admins
  const others = text.includes('@')
    ? await tx
        .select({ id, username })
        .from(admins)
        .where(and(isActive(ctx.config), ne(id, adminOf(ctx).id)))
    : []
  const names = new Set(
    findMentioned(
      text,
      others.map((other) => other.username),
    ),
  )
  const mentioned = others.filter((other) => names.has(other.username)).map((other) => other.id)
  await tx
    .delete(noteMentions)
    .where(
      and(eq(noteMentions.noteId, noteId), isNull(noteMentions.seenAt), notInArray(noteMentions.adminId, mentioned)),
    )
  if (mentioned.length > 0)
    await tx
      .insert(noteMentions)
      .values(mentioned.map((adminId) => ({ noteId, adminId })))
      .onConflictDoNothing()
}

/** Notes that the admin has seen a mention, and the others on the same member or order. Throws not_found for a note that names somebody else. */
export const seeMentions = (ctx: Ctx, noteId: string): Promise<void> =>
  inTransaction(ctx, async (tx) => {
    const { rows } = await tx.execute<{ isUnseen: boolean }>(sql`
      WITH wanted AS (SELECT n.member_id, n.order_id, n.bank_line_id FROM notes n
        JOIN note_mentions x ON x.note_id = n.id WHERE n.id = ${noteId} AND x.admin_id = ${adminOf(ctx).id}),
      seen AS (UPDATE note_mentions x SET seen_at = now() FROM notes n, wanted w
        WHERE x.admin_id = ${adminOf(ctx).id} AND x.seen_at IS NULL AND n.id = x.note_id
          AND (n.member_id, n.order_id, n.bank_line_id)
          IS NOT DISTINCT FROM (w.member_id, w.order_id, w.bank_line_id) RETURNING x.note_id)
      SELECT EXISTS (SELECT FROM seen) AS "isUnseen" FROM wanted`)
    const [found] = rows
    if (!found) throw notFound('Note')
    if (found.isUnseen) await announce(tx, 'orders')
  })
