import pg from 'pg'
import { onTestFinished } from 'vitest'

const waitingCall = 'pg_advisory_xact_lock(2710)'

/** A statement that contains `waitingCall` runs until `release` is called, or until it is cancelled; `countWaiting` says how many do. */
export async function holdLock(connection: pg.ClientConfig) {
  const holder = new pg.Client(connection)
  await holder.connect()
  let released: Promise<void> | undefined
  const release = () => (released ??= holder.end())
  onTestFinished(release)
  await holder.query(`SELECT ${waitingCall.replace('_xact', '')}`)
  const countWaiting = async () => {
    const { rowCount } =
      await holder.query(`SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 2710 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`)
    return rowCount
  }
  return { waitingCall, release, countWaiting }
}
