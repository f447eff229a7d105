import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/**
 * Hands cases to the queue again, due now; answers how many. One that was delivered or given up is sent anew, under an id
 * of its own and with all its retries; a sending that waits goes on. Left out: what a try holds, and cases that were
 * decided, of which the provider has nothing more to say.
 */
export async function resendCases(tx: Tx, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0
  // Locked in one order, so that two who resend the same cases do not wait for each other.
  const { rowCount } = await tx.execute<Record<string, unknown>>(sql`
    WITH held AS MATERIALIZED (
      SELECT id FROM kyc_deliveries WHERE id = ANY (${sql.param(ids)}::bigint[]) ORDER BY id FOR UPDATE
    )
    UPDATE kyc_deliveries d SET state = 'waiting', next_try_at = clock_timestamp(), lease_until = NULL,
      webhook_id = CASE WHEN d.state IN ('delivered', 'failed') THEN gen_random_uuid() ELSE d.webhook_id END,
      tries = CASE WHEN d.state IN ('delivered', 'failed') THEN 0 ELSE d.tries END,
      retries = CASE WHEN d.state IN ('delivered', 'failed') THEN 0 ELSE d.retries END
    FROM held
    WHERE d.id = held.id AND (d.state = 'sending' AND d.lease_until > clock_timestamp()) IS NOT TRUE
      AND EXISTS (SELECT FROM kyc_submissions s WHERE s.member_id = d.member_id
        AND s.attempt_number = d.attempt_number AND s.result = 'under_review')`)
  return rowCount ?? 0
}
