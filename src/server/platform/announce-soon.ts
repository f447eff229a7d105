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
 * Tells open consoles of lists that a call has changed, right after its commit and not within it: PostgreSQL commits
 * transactions that notify one by one, each with a flush of its own, which halved how many calls a second were served.
 * What comes while one notification is under way goes out with the next, and so does what could not be sent.
 */
export function announceSoon({ database, log }: Pick<Services, 'database' | 'log'>, lists: readonly LiveList[]): void {
  const waiting = pendingByDatabase.get(database) ?? { lists: new Set(), sending: undefined }
  pendingByDatabase.set(database, waiting)
  for (const list of lists) waiting.lists.add(list)
  // With nothing to send it would be over before it is noted as under way, and noted for ever.
  if (waiting.lists.size === 0) return
  waiting.sending ??= sendPending(database, waiting).catch((error: unknown) =>
    log.warn({ err: error }, 'open consoles could not be told of a change'),
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
    // At once with the last look at the lists, so that nothing is added that nobody sends.
    waiting.sending = undefined
  }
}

/** Whatever was to be told of this database has gone out. */
export const waitForAnnouncements = async (database: Database): Promise<void> =>
  pendingByDatabase.get(database)?.sending
