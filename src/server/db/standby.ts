import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from './client.ts'

interface StandbyOptions {
  /** Told once each time that the primary is read in its place, with the reason. */
  onLeftOut: (reason: string) => void
  /** How long a reader waits until the standby has replayed what is committed. */
  waitMs?: number
}

/** A standby that was away or behind is not asked again for so long, so that not each reader waits for it. */
const restMs = 30_000
const pollMs = 20

const readPrimary = {
  name: 'standby_position',
  text: `SELECT pg_current_wal_flush_lsn()::text AS position, system_identifier::text || '/' || oid AS place
    FROM pg_control_system(), pg_database WHERE datname = current_database()`,
}
const readStandby = `SELECT pg_is_in_recovery() AS "isStandby", pg_last_wal_replay_lsn() >= $1::pg_lsn AS "hasReplayed",
    system_identifier::text || '/' || oid AS place
  FROM pg_control_system(), pg_database WHERE datname = current_database()`

/**
 * A database whose `findReader` gives its standby once that has replayed all that is committed by then, so that nobody
 * reads less there than the primary had. A standby that is away, behind or of another database is left out for a while.
 */
export function withStandby(
  primary: Database,
  standby: Database,
  { onLeftOut, waitMs = 2000 }: StandbyOptions,
): Database {
  let leftOutUntil = 0

  /** Throws where the standby cannot be read. */
  async function waitForStandby(): Promise<void> {
    const { position, place } = (await primary.pool.query<{ position: string; place: string }>(readPrimary)).rows[0]!
    for (const end = Date.now() + waitMs; ; await pause(pollMs)) {
      const statement = { name: 'standby_replayed', text: readStandby, values: [position] }
      const { rows } = await standby.pool.query<{ isStandby: boolean; hasReplayed: boolean; place: string }>(statement)
      const found = rows[0]!
      if (found.place !== place) throw new Error('it is another database')
      if (!found.isStandby) throw new Error('it is the primary')
      if (found.hasReplayed) return
      if (Date.now() > end) throw new Error(`it is more than ${waitMs / 1000} seconds behind`)
    }
  }

  return {
    ...primary,
    async findReader() {
      if (Date.now() < leftOutUntil) return primary
      try {
        await waitForStandby()
        return standby
      } catch (error) {
        leftOutUntil = Date.now() + restMs
        onLeftOut(error instanceof Error ? error.message : String(error))
        return primary
      }
    },
    async close() {
      await standby.close()
      await primary.close()
    },
  }
}
