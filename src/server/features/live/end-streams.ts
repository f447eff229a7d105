import { sql } from 'drizzle-orm'
import type { Tx } from '#server/db/client.ts'
import { splitIntoChunks } from '#server/lib/chunks.ts'

/** The channel that informs every server of ended sessions. */
export const sessionsEndedChannel = 'sessions_ended'

/** A notification has less than 8,000 bytes, an id with its comma at most 20. */
const idsPerNotification = 399

/** Ends the event streams of these sessions on every server when the transaction commits. */
export async function endStreams(tx: Tx, sessionIds: string[]): Promise<void> {
  for (const ids of splitIntoChunks(sessionIds, idsPerNotification))
    await tx.execute(sql`SELECT pg_notify(${sessionsEndedChannel}, ${ids.join(',')})`)
}
