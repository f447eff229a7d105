import { setTimeout as pause } from 'node:timers/promises'
import { SettingError } from '#server/core/config.ts'
import { isDatabaseAway } from '#server/lib/errors.ts'
import type { Connection } from './connection.ts'
import { isReadOnlySql, NoPrimaryError } from './hosts.ts'
import { connectOnce, type DatabaseSetting } from './own-server.ts'

const retryMs = 1000

/** A name that is not known yet is that of a container which starts later. */
const unknownHost = new Set(['ENOTFOUND', 'EAI_AGAIN'])

interface WaitOptions {
  setting: DatabaseSetting
  /** Informs the operator of what is waited for. */
  say: (line: string) => void
  seconds: number
}

/** Throws SettingError if the server takes no connections or no writes. */
async function requireWritable(connection: Connection, setting: DatabaseSetting): Promise<void> {
  const client = await connectOnce(connection, setting)
  try {
    const { rows } = await client.query<{ isReadOnly: boolean }>(isReadOnlySql)
    if (!rows[0]!.isReadOnly) return
    const cause = new NoPrimaryError('a standby')
    const place = `${client.host}:${client.port}`
    throw new SettingError(
      `${setting} leads to ${place}, which takes no writes, as a standby does: name the primary, or all hosts of which one is (docs/operating.md, "A standby")`,
      { cause },
    )
  } finally {
    await client.end()
  }
}

/**
 * Waits until the database takes connections and writes, for `seconds` at most. Throws SettingError as `connectOnce`
 * does when the time is over, or at once where waiting helps nothing, as with a wrong password.
 */
export async function waitForDatabase(connection: Connection, { setting, say, seconds }: WaitOptions): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  for (let tries = 1; ; tries++)
    try {
      return await requireWritable(connection, setting)
    } catch (error) {
      if (!isAway(error) || performance.now() + retryMs > endsAt) throw error
      if (tries === 1) say(`Waiting for the database, for ${seconds} seconds at most: ${(error as Error).message}`)
      await pause(retryMs)
    }
}

function isAway(error: unknown): boolean {
  if (!(error instanceof SettingError) || !(error.cause instanceof Error)) return false
  const { cause } = error
  return isDatabaseAway(cause) || ('code' in cause && unknownHost.has(String(cause.code)))
}
