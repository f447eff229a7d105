import { resolve } from 'node:path'
import type { ObjectPlace } from '#server/adapters/open-object-store.ts'
import { isAddress, readBucketUrl } from '#server/lib/bucket-url.ts'
import { readBucket } from './bucket-settings.ts'
import { SettingError } from './setting-error.ts'
import type { SettingValues } from './settings.ts'

/** When backups are made by the clock, and how. */
export interface BackupSettings {
  /** Whose keys open backups. Empty: they are not encrypted. */
  recipients: string[]
  /** Holds a folder for each backup. Undefined: none is made by the clock. */
  place: ObjectPlace | undefined
  everyHours: number
  /** How many finished ones stay. */
  keep: number
  /** Where the log of the embedded database goes, so that it can be restored to an instant. Undefined: nowhere. */
  archive: ObjectPlace | undefined
  /** A folder or a bucket that a command names, with the account of these settings. Throws SettingError. */
  openPlace: (text: string) => ObjectPlace
}

/** Before each further try. Nobody waits for a backup, and one of hours should not end by a hiccup. */
const pausesMs = [500, 2000, 10_000, 30_000]

function readPlace(set: SettingValues, name: string, text: string): ObjectPlace {
  if (!isAddress(text)) return { folder: resolve(text) }
  if (!text.startsWith('s3:'))
    throw new SettingError(`${name} must be a folder, or a bucket such as s3://bucket/folder`)
  let place
  try {
    place = readBucketUrl(text)
  } catch (error) {
    throw new SettingError(`${name} ${(error as Error).message}`)
  }
  return { bucket: { ...readBucket(set, 'BACKUP', place), pausesMs } }
}

function readArchive(set: SettingValues): ObjectPlace | undefined {
  if (set.WAL_ARCHIVE === undefined) return undefined
  if (set.DATABASE_URL !== undefined)
    throw new SettingError(
      'WAL_ARCHIVE is for the embedded database: with DATABASE_URL your PostgreSQL archives its log itself (docs/operating.md, "To an instant")',
    )
  return readPlace(set, 'WAL_ARCHIVE', set.WAL_ARCHIVE)
}

/** Throws SettingError where what a bucket needs is missing. */
export const readBackupSettings = (set: SettingValues): BackupSettings => ({
  archive: readArchive(set),
  recipients: set.BACKUP_KEY,
  place: set.BACKUP_TO === undefined ? undefined : readPlace(set, 'BACKUP_TO', set.BACKUP_TO),
  everyHours: set.BACKUP_EVERY,
  keep: set.BACKUP_KEEP,
  openPlace: (text) => readPlace(set, text, text),
})
