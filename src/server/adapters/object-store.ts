import type { BucketSettings } from './bucket-calls.ts'
import { createBucketObjects } from './bucket-objects.ts'
import { createFolderObjects } from './folder-objects.ts'

/** Where objects are kept: in a folder, or in a bucket with its account. */
export type ObjectPlace = { folder: string } | { bucket: BucketSettings }

export const openObjectStore = (place: ObjectPlace): ObjectStore =>
  'bucket' in place ? createBucketObjects(place.bucket) : createFolderObjects(place.folder)

export interface StoredObject {
  path: string
  size: number
  changedAt: Date
}

interface ChangeOptions {
  /** Once it has thrown, nothing is asked of the store any more. What it was asked before it may still do. */
  isOnce?: boolean | undefined
}

export interface PutOptions extends ChangeOptions {
  /** Ends it early: it then throws, and nothing is stored. */
  signal?: AbortSignal | undefined
}

/** Keeps bytes under paths such as `tables/members.copy.zst`. A bucket does as well as a folder. Throws StoreError. */
export interface ObjectStore {
  /** For messages: the folder, or `s3://bucket/folder/`. */
  place: string
  /** Stores the bytes durably, whole or not at all. Replaces what has the path. It holds some 16 MB at a time. */
  put(path: string, content: Buffer | AsyncIterable<Buffer>, options?: PutOptions): Promise<void>
  /** The bytes in pieces. Null if nothing has the path. */
  get(path: string): Promise<AsyncIterable<Buffer> | null>
  /** The bytes at once, or the first `most` of them. Null if nothing has the path. */
  read(path: string, most?: number): Promise<Buffer | null>
  has(path: string): Promise<boolean>
  /** Does nothing if nothing has the path. */
  delete(path: string, options?: ChangeOptions): Promise<void>
  /** All that is stored, by name in each folder, behind the path `after`. What is deleted meanwhile may be among them. */
  list(after?: string): AsyncIterable<StoredObject>
  /** The names of the folders right below this place. */
  listFolders(): Promise<string[]>
  /** The part of the store below a folder of it. */
  within(folder: string): ObjectStore
  /**
   * Deletes all, also what was cut off while it was stored, and `last` at the end, so that a deletion that was cut off
   * can be told. Call it where nobody stores anything.
   */
  deleteAll(last: string): Promise<void>
}
