import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** The channel that informs every server of ended sessions. */
export const sessionsEndedChannel = 'sessions_ended'

/** Ends the event streams of these sessions on every server when the transaction commits. */
export async function endStreams(tx: Tx, sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0) await tx.execute(sql`SELECT pg_notify(${sessionsEndedChannel}, ${sessionIds.join(',')})`)
}
