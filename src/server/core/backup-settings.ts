import type * as z from 'zod'
import type { Settings } from './settings.ts'

export interface BackupSettings {
  /** Whose keys open backups. Empty: they are not encrypted. */
  recipients: string[]
}

export const readBackupSettings = (set: z.infer<typeof Settings>): BackupSettings => ({ recipients: set.BACKUP_KEY })
