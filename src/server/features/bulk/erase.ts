import { sql } from 'drizzle-orm'
import { bulkKeptDays } from '#contract/bulk.ts'
import type { Db, Tx } from '#server/db/client.ts'

/**
 * Removes what was entered for jobs with a row of the member. A running one needs it for the other rows: it goes when
 * that ends. Returns how many.
 */
export async function eraseBulkReasons(tx: Tx, memberId: string): Promise<number> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE bulk_jobs SET reason = NULL WHERE reason IS NOT NULL AND state <> 'running'
      AND id IN (SELECT job_id FROM bulk_items WHERE member_id = ${memberId}) RETURNING id::text`)
  return rows.length
}

/** Deletes jobs that ended long ago, with their rows. What they changed is in the audit log. */
export async function deleteOldJobs(db: Db): Promise<void> {
  await db.execute(sql`DELETE FROM bulk_jobs WHERE ended_at < now() - make_interval(days => ${bulkKeptDays})`)
}
