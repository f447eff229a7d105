import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** A failure goes on for hours, and is one event until somebody has resolved it. */
export async function findOpenEvent(tx: Tx, type: string, by: Record<string, string>): Promise<string | undefined> {
  const { rows } = await tx.execute<{ id: string }>(sql`
    SELECT max(id)::text AS id FROM security_events
    WHERE event_type = ${type} AND resolved_at IS NULL AND details @> ${JSON.stringify(by)}::jsonb`)
  return rows[0]?.id ?? undefined
}
