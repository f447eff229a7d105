import { resolve } from 'node:path'
import type * as z from 'zod'
import type { Settings } from './settings.ts'

/** When backups are made by the clock, and how. */
export interface BackupSettings {
  /** Whose keys open backups. Empty: they are not encrypted. */
  recipients: string[]
  /** Holds a folder for each backup. Undefined: none is made by the clock. */
  folder: string | undefined
  everyHours: number
  /** How many finished ones stay. */
  keep: number
}

export const readBackupSettings = (set: z.infer<typeof Settings>): BackupSettings => ({
  recipients: set.BACKUP_KEY,
  folder: set.BACKUP_TO === undefined ? undefined : resolve(set.BACKUP_TO),
  everyHours: set.BACKUP_EVERY,
  keep: set.BACKUP_KEEP,
})
