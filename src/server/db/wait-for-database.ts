import { setTimeout as pause } from 'node:timers/promises'
import { SettingError } from '#server/core/config.ts'
import { isDatabaseAway } from '#server/lib/errors.ts'
import type { Connection } from './connection.ts'
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

/**
 * Waits until the database takes connections, for `seconds` at most. Throws SettingError as `connectOnce` does when the time is over, or at
 * once where waiting helps nothing, as with a wrong password.
 */
export async function waitForDatabase(connection: Connection, { setting, say, seconds }: WaitOptions): Promise<void> {
  const endsAt = performance.now() + seconds * 1000
  for (let tries = 1; ; tries++)
    try {
      return await (await connectOnce(connection, setting)).end()
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
