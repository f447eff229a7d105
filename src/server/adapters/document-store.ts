import { join } from 'node:path'
import type { Config } from '#server/core/config.ts'
import { sha256 } from '#server/lib/hash.ts'
import { SettingError } from '#server/core/setting-error.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  type DocumentId,
  type DocumentKey,
  DamagedFileError,
  decryptFile,
  encryptFile,
  headerBytes,
  isEncrypted,
  nameFile,
  readHeader,
  readKeyId,
  rewrapFile,
} from './document-cipher.ts'
import { createFileKeys, createSettingKeys, type DocumentKeys } from './document-keys.ts'
import type { BucketSettings } from './bucket-calls.ts'
import { createBucketStore, createFolderStore, type FileStore, type StoredFile } from './file-store.ts'

type Check = () => Promise<void>

/** A store of files that nothing reaches before a check has passed once. */
interface CheckedStore {
  files: FileStore
  /** Sets the check, which the first use makes. */
  setCheck: (check: Check) => void
  /** Makes the check now. Throws what it throws; the next use then makes it again. */
  check: () => Promise<void>
}

/** Puts a check before the files. Without one they are used as they are. */
function checkStore(files: FileStore): CheckedStore {
  let check: Check | undefined
  let passing: Promise<void> | undefined
  const pass = async () => {
    if (!check) return
    passing ??= check().catch((error: unknown) => {
      passing = undefined
      throw error
    })
    await passing
  }
  /** At a start a wrong store is a wrong setting. Later it is a store that cannot be used. */
  const passInUse = () =>
    pass().catch((error: unknown) => {
      if (!(error instanceof SettingError)) throw error
      throw new AppError('store_unavailable', 'The store of the documents is not the one of this database', {
        cause: error,
      })
    })
  return {
    files: {
      ...files,
      put: async (name, bytes, options) => (await passInUse(), files.put(name, bytes, options)),
      get: async (name, most) => (await passInUse(), files.get(name, most)),
      has: async (name) => (await passInUse(), files.has(name)),
      delete: async (name) => (await passInUse(), files.delete(name)),
      async *list(after) {
        await passInUse()
        yield* files.list(after)
      },
    },
    setCheck: (next) => void (check = next),
    check: pass,
  }
}

export { DamagedFileError, type DocumentId, type FileKind, fileKinds } from './document-cipher.ts'

/** A file as the store holds it. */
export type StoredDocument = StoredFile &
  /** `plain` is from before files were encrypted. Nobody here can say what an `unreadable` one is. */
  (
    | { state: 'plain'; sha256: string }
    | { state: 'encrypted'; id: DocumentId; keyId: string }
    | { state: 'unreadable'; keyId: string | null }
  )

/** Keeps the files of members and banks encrypted, each with a key of its own (068). */
export interface DocumentStore {
  keys: DocumentKeys
  /** The bytes as they are stored. */
  files: FileStore
  /** Lets no file through before it has passed. */
  setCheck: CheckedStore['setCheck']
  check: CheckedStore['check']
  /** The name under which the bytes are stored. Null if there are none. */
  find(id: DocumentId): Promise<string | null>
  /** Stores the bytes durably. What is stored already stays as it is. */
  put(id: DocumentId, bytes: Buffer): Promise<void>
  /** The bytes, once proven to be those that were stored. Null if there are none. Throws DamagedFileError. */
  read(id: DocumentId): Promise<Buffer | null>
  has(id: DocumentId): Promise<boolean>
  delete(id: DocumentId): Promise<void>
  /** Deletes the plain file of these bytes, whatever it is. */
  deletePlain(sha256: string): Promise<void>
  /** By name, behind the name `after`. */
  list(after?: string): AsyncIterable<StoredDocument>
  /** Wraps the key of a file with the present key, by requests that are not repeated. Throws DamagedFileError. */
  rewrap(file: StoredDocument): Promise<void>
  /** Encrypts a plain file as these kinds. Throws DamagedFileError if its bytes are not those that its name says. */
  encrypt(file: StoredDocument, kinds: readonly DocumentId['kind'][]): Promise<void>
  /** Deletes one stored file by its name. */
  remove(file: StoredDocument): Promise<void>
}

/** The plain bytes, if they are those that the name says. */
function checkPlain(bytes: Buffer, name: string): Buffer {
  if (sha256(bytes).toString('hex') !== name) throw new DamagedFileError('its bytes are not those of its name')
  return bytes
}

/** Encrypts what `files` keeps. The same bytes of the same kind are one file. */
function createDocumentStore({ files, ...checks }: CheckedStore, keys: DocumentKeys): DocumentStore {
  const namesOf = (id: DocumentId) => keys.list().map((key) => nameFile(key, id))

  async function findName(id: DocumentId): Promise<string | null> {
    // A file gets another name with another key, so it is looked for once more before it counts as missing.
    for (let turn = 0; turn < 2; turn++)
      for (const name of [...namesOf(id), id.sha256]) if (await files.has(name)) return name
    return null
  }

  async function read(id: DocumentId): Promise<Buffer | null> {
    for (let turn = 0; turn < 2; turn++) {
      for (const name of namesOf(id)) {
        const bytes = await files.get(name)
        if (bytes) return decryptFile(keys.list(), id, bytes)
      }
      const plain = await files.get(id.sha256)
      if (plain) return checkPlain(plain, id.sha256)
    }
    return null
  }

  return {
    keys,
    files,
    ...checks,
    find: findName,
    read,
    has: async (id) => (await findName(id)) !== null,
    async put(id, bytes) {
      if (!(await findName(id))) await storeEncrypted(files, keys, id, bytes)
    },
    async delete(id) {
      await Promise.all(namesOf(id).map((name) => files.delete(name)))
    },
    deletePlain: (sha256) => files.delete(sha256),
    list: (after) => listDocuments(files, keys, after),
    rewrap: (file) => rewrap(files, keys, file),
    async encrypt(file, kinds) {
      const plain = await files.get(file.name)
      if (!plain) return
      checkPlain(plain, file.name)
      for (const kind of kinds) {
        const id = { kind, sha256: file.name }
        const isStored = await Promise.all(namesOf(id).map((name) => files.has(name)))
        if (!isStored.includes(true)) await storeEncrypted(files, keys, id, plain, true)
      }
      await files.delete(file.name)
    },
    remove: (file) => files.delete(file.name),
  }
}

async function rewrap(files: FileStore, keys: DocumentKeys, file: StoredDocument): Promise<void> {
  const to = keys.list()[0]!
  const bytes = await files.get(file.name)
  if (!bytes || file.state !== 'encrypted' || file.keyId === to.id) return
  const name = nameFile(to, file.id)
  // A copy that a server has meanwhile stored again is as good.
  if (!(await files.has(name))) await files.put(name, rewrapFile(keys.list(), to, bytes), { isOnce: true })
  await files.delete(file.name)
}

async function storeEncrypted(files: FileStore, keys: DocumentKeys, id: DocumentId, bytes: Buffer, isOnce = false) {
  const key = keys.list()[0]!
  await files.put(nameFile(key, id), encryptFile(key, id, bytes), { isOnce })
}

const headersAtATime = 8

async function* listDocuments(files: FileStore, keys: DocumentKeys, after?: string): AsyncGenerator<StoredDocument> {
  let batch: StoredFile[] = []
  const readBatch = async () => {
    const starts = await Promise.all(batch.map(({ name }) => files.get(name, headerBytes)))
    const present = keys.list()
    const found = batch.flatMap((file, n) =>
      starts[n] ? [{ ...file, ...describe(present, file.name, starts[n]) }] : [],
    )
    batch = []
    return found
  }
  for await (const file of files.list(after)) if (batch.push(file) >= headersAtATime) yield* await readBatch()
  yield* await readBatch()
}

function describe(keys: readonly DocumentKey[], name: string, start: Buffer) {
  if (!isEncrypted(start)) return { state: 'plain', sha256: name } as const
  try {
    return { state: 'encrypted', ...readHeader(keys, start) } as const
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    return { state: 'unreadable', keyId: start.length < headerBytes ? null : readKeyId(start) } as const
  }
}

type Settings = Pick<Config, 'dataDir' | 'documentKeys'> & { documentBucket?: BucketSettings | undefined }

/** Where files are kept: a bucket, else a folder of DATA_DIR. */
export const openFileStore = ({ dataDir, documentBucket }: Omit<Settings, 'documentKeys'>): FileStore =>
  documentBucket ? createBucketStore(documentBucket) : createFolderStore(join(dataDir, 'documents'))

/** The store of these settings, with the keys of DOCUMENTS_KEY or of a file in DATA_DIR. */
export function openDocumentStore(settings: Settings): DocumentStore {
  const { dataDir, documentKeys } = settings
  const keys =
    documentKeys.length > 0 ? createSettingKeys(documentKeys) : createFileKeys(join(dataDir, 'keys', 'documents'))
  return createDocumentStore(checkStore(openFileStore(settings)), keys)
}
