import { AppError } from '#server/lib/errors.ts'
import type { BucketSettings } from './bucket-calls.ts'
import { createBucketObjects } from './bucket-objects.ts'
import { createFolderObjects } from './folder-objects.ts'
import { StoreError } from './object-path.ts'
import type { ObjectStore, PutOptions } from './object-store.ts'

export interface StoredFile {
  name: string
  size: number
  changedAt: Date
}

/** Keeps bytes, whatever they are, under names of 64 hexadecimal digits; a bucket does as well as a folder. */
export interface FileStore {
  /** For messages: the folder, or `s3://bucket/folder/`. */
  place: string
  /** Stores the bytes durably, whole or not at all. Replaces what has the name. */
  put(name: string, bytes: Buffer, options?: Pick<PutOptions, 'isOnce'>): Promise<void>
  /** The bytes, or the first `most` of them. Null if nothing has the name. */
  get(name: string, most?: number): Promise<Buffer | null>
  has(name: string): Promise<boolean>
  /** Does nothing if nothing has the name. Once it has thrown, no further request follows. */
  delete(name: string): Promise<void>
  /** All files behind the name `after`, by name. One that is deleted meanwhile may be among them. */
  list(after?: string): AsyncIterable<StoredFile>
  /** What tells this store from others. Null if it has no mark yet. */
  readMark(): Promise<string | null>
  writeMark(mark: string): Promise<void>
}

const nameForm = /^[0-9a-f]{64}$/
export const isFileName = (name: string): boolean => nameForm.test(name)
/** Lies beside the files, and is not one of them. */
const markName = 'store-mark'

function requireName(name: string): string {
  if (!isFileName(name)) throw new Error('a stored file is named by 64 hexadecimal digits')
  return name
}

/** Files that cannot be had now may be there: nobody may take them for missing. */
async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    throw new AppError(
      'store_unavailable',
      'The store of the documents cannot be reached right now; try again in a moment',
      { retryAfter: 5, cause: error },
    )
  }
}

/** Files under what `pathOf` makes of their names. */
function createFileStore(objects: ObjectStore, pathOf: (name: string) => string): FileStore {
  const checked = async (name: string) => pathOf(requireName(name))
  return {
    place: objects.place,
    put: async (name, bytes, options) => explain(objects.put(await checked(name), bytes, options)),
    get: async (name, most) => explain(objects.read(await checked(name), most)),
    has: async (name) => explain(objects.has(await checked(name))),
    delete: async (name) => explain(objects.delete(await checked(name), { isOnce: true })),
    async *list(after) {
      const listing = objects.list(after && pathOf(after))[Symbol.asyncIterator]()
      for (;;) {
        const { done, value } = await explain(listing.next())
        if (done) return
        const name = value.path.split('/').at(-1)!
        if (isFileName(name) && value.path === pathOf(name)) yield { ...value, name }
      }
    },
    readMark: async () => (await explain(objects.read(markName)))?.toString('utf8').trim() ?? null,
    writeMark: (text) => explain(objects.put(markName, Buffer.from(`${text}\n`))),
  }
}

/** Two levels deep, so that no directory grows without bound. */
export const createFolderStore = (folder: string): FileStore =>
  createFileStore(createFolderObjects(folder), (name) => `${name.slice(0, 2)}/${name}`)

export const createBucketStore = (settings: BucketSettings): FileStore =>
  createFileStore(createBucketObjects(settings), (name) => name)
