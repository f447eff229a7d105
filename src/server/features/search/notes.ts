import { mostHits } from '#contract/search.ts'
import { type Ctx, hasPermission } from '#server/core/context.ts'
import { noteColumns, noteTables } from '#server/features/notes/service.ts'
import type { SearchTerms } from '#server/search/search-terms.ts'
import { combineMatches, createParameters, matchWords, type Statement } from './matches.ts'
import { selectName } from './statements.ts'

/** Notes on what the admin may view, by their words. */
export function findNotes(ctx: Ctx, { text, isWhole, isIndexed }: SearchTerms): Statement | null {
  const subjects = [
    ...(hasPermission(ctx, 'members.view') ? ['order_id IS NULL'] : []),
    ...(hasPermission(ctx, 'orders.view') ? ['order_id IS NOT NULL'] : []),
  ]
  if (isWhole || subjects.length === 0) return null
  const visible = `(SELECT id, created_at, search FROM notes WHERE ${subjects.join(' OR ')})`
  const given = createParameters(text)
  const { id, userId, order, author, createdAt } = noteColumns
  return {
    text: `SELECT ${id}, ${userId} AS "userId", ${selectName('m')} AS "userName", ${order} AS "order", n.text, ${author} AS author,
        ${createdAt} AS "createdAt"
      ${noteTables} JOIN members m ON m.id = n.member_id JOIN ${combineMatches([matchWords(visible, isIndexed)])} ON f.id = n.id
      ORDER BY f.rank, n.created_at DESC, n.id DESC LIMIT ${mostHits}`,
    values: given.values,
  }
}
