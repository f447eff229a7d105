import { resolve } from 'node:path'
import type { BucketSettings } from '#server/adapters/bucket-calls.ts'
import type { ObjectPlace } from '#server/adapters/object-store.ts'
import { type BucketPlace, isAddress, readBucketUrl } from '#server/lib/bucket-url.ts'
import { isLoopback } from '#server/lib/loopback.ts'
import { SettingError } from './setting-error.ts'
import type { SettingValues } from './settings.ts'

export type BucketCredentials = Pick<BucketSettings, 'accessKeyId' | 'secretAccessKey'>

/** Settings of a bucket: its place, and the two of its account, which begin alike. */
type BucketOwner = 'DOCUMENTS' | 'BACKUP'
const placeNames = { DOCUMENTS: 'DOCUMENTS', BACKUP: 'BACKUP_TO' } as const

/** The account of a bucket. Throws SettingError where only half of it is set. */
export function readCredentials(set: SettingValues, owner: BucketOwner): BucketCredentials | undefined {
  const accessKeyId = set[`${owner}_ACCESS_KEY_ID`]
  const secretAccessKey = set[`${owner}_SECRET_ACCESS_KEY`]
  if (!accessKeyId !== !secretAccessKey)
    throw new SettingError(
      `${owner}_${accessKeyId ? 'SECRET_ACCESS_KEY' : 'ACCESS_KEY_ID'} must be set too: each needs the other`,
    )
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined
}

/** A place with its account. Throws SettingError where that is missing, or others could read along. */
export function readBucket(set: SettingValues, owner: BucketOwner, place: BucketPlace): BucketSettings {
  const credentials = readCredentials(set, owner)
  const name = placeNames[owner]
  if (!credentials) throw new SettingError(`${name} needs ${owner}_ACCESS_KEY_ID and ${owner}_SECRET_ACCESS_KEY`)
  if (place.endpoint.startsWith('http:') && !isLoopback(place.endpoint) && set.ALLOW_INSECURE_HTTP !== 'on')
    throw new SettingError(
      `${name} would carry ${owner === 'BACKUP' ? 'back-ups' : 'documents'} over plain http; name an https endpoint, or set ALLOW_INSECURE_HTTP=on`,
    )
  return { ...place, ...credentials }
}

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

/** Before each further try. Nobody waits for a backup, and one of hours should survive a short failure. */
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
