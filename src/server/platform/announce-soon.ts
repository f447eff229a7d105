import type { LiveList } from '#contract/live.ts'
import { changesChannel } from '#server/core/audit.ts'
import type { Services } from '#server/core/context.ts'
import type { Database } from '#server/db/client.ts'

interface PendingLists {
  lists: Set<LiveList>
  sending: Promise<void> | undefined
}
const pendingByDatabase = new WeakMap<Database, PendingLists>()

/**
 * Announces changed lists to open consoles after the commit of a call, not within it: PostgreSQL commits transactions
 * with a notification one by one, each with its own flush, which halved the calls per second. Changes during a
 * notification, and those whose notification failed, go out with the next.
 */
export function announceSoon({ database, log }: Pick<Services, 'database' | 'log'>, lists: readonly LiveList[]): void {
  const waiting = pendingByDatabase.get(database) ?? { lists: new Set(), sending: undefined }
  pendingByDatabase.set(database, waiting)
  for (const list of lists) waiting.lists.add(list)
  // With nothing to send, `sending` would be cleared before it is set, and never again.
  if (waiting.lists.size === 0) return
  waiting.sending ??= sendPending(database, waiting).catch((error: unknown) =>
    log.warn({ err: error }, 'a change could not be announced to open consoles'),
  )
}

async function sendPending({ pool }: Database, waiting: PendingLists): Promise<void> {
  let named: LiveList[] = []
  try {
    while (waiting.lists.size > 0) {
      named = [...waiting.lists]
      waiting.lists.clear()
      const values = [changesChannel, named.join(',')]
      await pool.query({ name: 'announce_soon', text: 'SELECT pg_notify($1, $2)', values })
    }
  } catch (error) {
    for (const list of named) waiting.lists.add(list)
    throw error
  } finally {
    // Cleared together with the last look at the lists, so that no list is added without a sender.
    waiting.sending = undefined
  }
}

/** Waits until pending announcements of this database are sent. */
export const waitForAnnouncements = async (database: Database): Promise<void> =>
  pendingByDatabase.get(database)?.sending
