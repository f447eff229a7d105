import type { BucketSettings } from '#server/adapters/bucket-calls.ts'
import type { BucketPlace } from '#server/lib/bucket-url.ts'
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
