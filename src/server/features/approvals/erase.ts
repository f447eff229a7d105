import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { hasOneOf } from '#server/db/search-texts.ts'

/**
 * Removes what tells a member from the requests about them, and from those of nobody in particular that name one of
 * `values`. Actions, states and ids stay; what waits is closed. Returns how many.
 */
export async function eraseApprovals(tx: Tx, memberId: string, values: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE approvals AS a SET target_name = 'Erased', body = NULL, changes = '[]', comment = NULL, failure = NULL,
      erased_at = now(), closed_at = coalesce(a.closed_at, now()),
      state = CASE a.state WHEN 'open' THEN 'expired' ELSE a.state END
    WHERE a.erased_at IS NULL AND (a.member_id = ${memberId} OR (
      a.member_id IS NULL AND ${hasOneOf(sql`to_jsonb(a)::text`, values)}))
    RETURNING a.id::text`)
  return rows.length
}
