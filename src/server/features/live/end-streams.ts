import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'

/** The channel on which every console server hears which sessions have ended. */
export const sessionsEndedChannel = 'sessions_ended'

/** Ends the event streams of these sessions on every server, once the transaction has committed. */
export async function endStreams(tx: Tx, sessionIds: string[]): Promise<void> {
  if (sessionIds.length > 0) await tx.execute(sql`SELECT pg_notify(${sessionsEndedChannel}, ${sessionIds.join(',')})`)
}
