import { sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'

/** Few enough that a change of their member waits for some hundred milliseconds. */
const batchSize = 500

/**
 * Gives the orders of members whose name or e-mail has changed the text by which they are found (product 4.4). Only
 * members with many orders wait for it; a trigger does the others with the change. Several servers may run this at once:
 * each takes members of its own.
 */
export async function spreadNames(ctx: Ctx, stop: AbortSignal): Promise<void> {
  while (!stop.aborted && (await inTransaction(ctx, spreadBatch)));
}

/** Whether more may be left that nobody else has locked. */
async function spreadBatch(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ memberId: string }>(sql`
    SELECT member_id AS "memberId" FROM order_search_due ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED`)
  const [due] = rows
  if (!due) return false
  const { memberId } = due
  const outdated = sql`member_id = ${memberId} AND member_search <> (SELECT search FROM members WHERE id = ${memberId})`
  const batch = await tx.execute<{ id: string }>(sql`
    UPDATE orders AS o SET member_search = m.search
    FROM members AS m, (
      SELECT id FROM orders WHERE ${outdated} LIMIT ${batchSize} FOR NO KEY UPDATE SKIP LOCKED
    ) AS batch
    WHERE o.id = batch.id AND m.id = ${memberId} RETURNING o.id`)
  if (batch.rows.length > 0) return true
  const left = await tx.execute<{ id: string }>(sql`SELECT id FROM orders WHERE ${outdated} LIMIT 1`)
  // An order that is being decided is done at the next run.
  if (left.rows.length > 0) return false
  await tx.execute(sql`DELETE FROM order_search_due WHERE member_id = ${memberId}`)
  await announce(tx, 'orders')
  return true
}
