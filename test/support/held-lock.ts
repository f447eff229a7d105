import pg from 'pg'
import { onTestFinished } from 'vitest'

const waitingCall = 'pg_advisory_xact_lock(2710)'

/** A statement that contains `waitingCall` runs until `release` is called, or until it is cancelled. */
export async function holdLock(connection: pg.ClientConfig) {
  const holder = new pg.Client(connection)
  await holder.connect()
  let released: Promise<void> | undefined
  const release = () => (released ??= holder.end())
  onTestFinished(release)
  await holder.query(`SELECT ${waitingCall.replace('_xact', '')}`)
  return { waitingCall, release }
}
