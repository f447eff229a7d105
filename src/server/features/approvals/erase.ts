import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Removes what tells a member from the requests about them, and from those of nobody in particular that name one of
 * `values`. Actions, states and ids stay; what waits is closed. Returns how many.
 */
export async function eraseApprovals(tx: Tx, memberId: string, values: readonly string[]): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE approvals AS a SET target_name = 'Erased', body = NULL, changes = '[]', comment = NULL, failure = NULL,
      erased_at = now(), closed_at = coalesce(a.closed_at, now()),
      state = CASE a.state WHEN 'open' THEN 'expired' ELSE a.state END
    WHERE a.erased_at IS NULL AND (a.member_id = ${memberId} OR (a.member_id IS NULL AND EXISTS (
      SELECT FROM unnest(${sql.param([...values])}::text[]) AS v WHERE strpos(lower(to_jsonb(a)::text), lower(v)) > 0)))
    RETURNING a.id::text`)
  return rows.length
}
