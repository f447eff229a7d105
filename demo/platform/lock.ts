import type { Services } from '#server/core/context.ts'
import { connectOnce } from '#server/db/own-server.ts'
import { takeAdvisoryLock, tryAdvisoryLock } from '#server/db/advisory-lock.ts'

/** Does `work` while no other console fills this database. Otherwise waits, and says so. */
export async function withFillLock(
  { database }: Services,
  say: (line: string) => void,
  work: () => Promise<void>,
): Promise<void> {
  // Uses its own connection, so that the lock ends with the process.
  const client = await connectOnce({ ...database.session, application_name: 'back-office demo' })
  try {
    if (!(await tryAdvisoryLock(client, 'demo platform'))) {
      say('Another console fills the demo platform; this one waits for it')
      await client.query('SET statement_timeout = 0; SET lock_timeout = 0')
      await takeAdvisoryLock(client, 'demo platform')
    }
    await work()
  } finally {
    await client.end()
  }
}
