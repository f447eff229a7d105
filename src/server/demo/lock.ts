import type { Services } from '#server/core/context.ts'
import { connectionOf } from '#server/db/client.ts'
import { connectOnce } from '#server/db/own-server.ts'

/** One number that all console servers agree on: only one of them fills at a time. */
const fillLock = 7_260_120

/** Does `work` while no other console fills this database; waits for one that does, and says so. */
export async function whileNobodyFills(
  { database }: Services,
  say: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  // On a connection of its own, so that the lock ends with the process.
  const client = await connectOnce({ ...connectionOf(database.pool), application_name: 'back-office demo' })
  try {
    const { rows } = await client.query<{ held: boolean }>('SELECT pg_try_advisory_lock($1) AS held', [fillLock])
    if (!rows[0]?.held) {
      say('Another console fills the demo platform; this one waits for it')
      await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
      await client.query('SELECT pg_advisory_lock($1)', [fillLock])
    }
    await work()
  } finally {
    await client.end()
  }
}
