import type { BucketSettings } from './bucket-calls.ts'
import { createBucketObjects } from './bucket-objects.ts'
import { createFolderObjects } from './folder-objects.ts'
import type { ObjectStore } from './object-store.ts'

/** Where objects are kept: in a folder, or in a bucket with its account. */
export type ObjectPlace = { folder: string } | { bucket: BucketSettings }

export const openObjectStore = (place: ObjectPlace): ObjectStore =>
  'bucket' in place ? createBucketObjects(place.bucket) : createFolderObjects(place.folder)
