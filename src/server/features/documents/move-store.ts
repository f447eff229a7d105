import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FileStore } from '#server/adapters/file-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction, type Services } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { SettingError } from '#server/core/config.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { DamagedFileError, type DocumentId } from '#server/adapters/document-store.ts'

const idsAtATime = 200
const readsAtATime = 8

/** What the store lacks of what the database names. */
interface StoreCheck {
  present: number
  missing: DocumentId[]
  damaged: DocumentId[]
}

/** The files that rows name, each once, in the order of kind and digest. */
async function* listNamedFiles({ database: { db } }: Ctx): AsyncGenerator<DocumentId[]> {
  let last: DocumentId | undefined
  for (;;) {
    const { rows } = await db.execute<DocumentId & Record<string, unknown>>(sql`
      SELECT kind, sha256 FROM (
        SELECT DISTINCT 'picture' AS kind, encode(stored_hash, 'hex') AS sha256 FROM documents
        UNION ALL SELECT DISTINCT 'statement', sha256 FROM bank_imports) AS named
      WHERE ${last ? sql`(kind, sha256) > (${last.kind}, ${last.sha256})` : sql`true`}
      ORDER BY kind, sha256 LIMIT ${idsAtATime}`)
    if (rows.length > 0) yield rows
    if (rows.length < idsAtATime) return
    last = rows.at(-1)
  }
}

async function judge({ documents }: Ctx, id: DocumentId): Promise<'present' | 'missing' | 'damaged'> {
  try {
    return (await documents.read(id)) ? 'present' : 'missing'
  } catch (error) {
    if (error instanceof DamagedFileError) return 'damaged'
    throw error
  }
}

/** Reads every file that the database names and proves its bytes. Throws store_unavailable. */
export async function checkStoredFiles(ctx: Ctx, onProgress: (files: number) => void = () => {}): Promise<StoreCheck> {
  const found: StoreCheck = { present: 0, missing: [], damaged: [] }
  let files = 0
  for await (const ids of listNamedFiles(ctx))
    for (let at = 0; at < ids.length; at += readsAtATime) {
      const part = ids.slice(at, at + readsAtATime)
      const states = await Promise.all(part.map((id) => judge(ctx, id)))
      for (const [n, state] of states.entries())
        if (state === 'present') found.present++
        else found[state].push(part[n]!)
      onProgress((files += part.length))
    }
  return found
}

const settingName = 'document_store'

/** The mark of the store whose files this database names. Null before the first start, and after a restore. */
async function readKnownMark(db: Db | Tx): Promise<string | null> {
  const [row] = await db.select().from(settings).where(eq(settings.name, settingName))
  return row ? String(row.value) : null
}

const writeKnownMark = (tx: Tx, mark: string) =>
  tx
    .insert(settings)
    .values({ name: settingName, value: mark })
    .onConflictDoUpdate({ target: settings.name, set: { value: mark } })

const createMark = (): string => randomUUID()

async function namesFiles(tx: Tx): Promise<boolean> {
  const { rows } = await tx.execute<{ isNaming: boolean }>(
    sql`SELECT EXISTS (SELECT FROM documents) OR EXISTS (SELECT FROM bank_imports) AS "isNaming"`,
  )
  return rows[0]!.isNaming
}

/**
 * Compares the mark of the store with the one that the database knows, so that no two servers keep their files apart from each other. The first
 * start sets both; after a restore the database takes the one of the store. Throws SettingError for another store, and store_unavailable.
 */
export async function claimStore({ documents: { files }, database }: Services): Promise<void> {
  const mark = await files.readMark()
  if (mark !== null && mark === (await readKnownMark(database.db))) return
  await database.transaction((tx) => claimUnderLock(tx, files))
}

async function claimUnderLock(tx: Tx, files: FileStore): Promise<void> {
  await lockInTransaction(tx, 'document store')
  const [known, mark] = [await readKnownMark(tx), await files.readMark()]
  if (known !== null && mark === known) return
  if (known === null) {
    const own = mark ?? createMark()
    if (mark === null) await files.writeMark(own)
    await writeKnownMark(tx, own)
  } else if (mark === null && !(await namesFiles(tx))) await files.writeMark(known)
  else throw wrongStoreError(files.place, mark)
}

const wrongStoreError = (place: string, mark: string | null) =>
  new SettingError(
    `${place} is not the store of this database's documents: it ${mark === null ? 'has no mark' : 'has the mark of another one'}. ` +
      'Name the right one in DOCUMENTS, or in DATA_DIR; or take this one as it is, and see afterwards what it lacks: ' +
      'npm run admin -- documents adopt',
  )

/** Takes the store as it is for the one of this database. Returns its mark. */
export async function adoptStore({ documents: { files }, database }: Services): Promise<string> {
  return database.transaction(async (tx) => {
    await lockInTransaction(tx, 'document store')
    const mark = (await files.readMark()) ?? createMark()
    await files.writeMark(mark)
    await writeKnownMark(tx, mark)
    return mark
  })
}

const copiesAtATime = 8

export interface StoreMove {
  /** Files that the target had already, with the same bytes. */
  present: number
  copied: number
}

/** Copies one stored file and reads it back. Answers whether it had to. */
async function copyFile(from: FileStore, to: FileStore, name: string): Promise<boolean> {
  const bytes = await from.get(name)
  // Deleted meanwhile, or stored under the name of a new key.
  if (!bytes) return false
  if ((await to.get(name))?.equals(bytes)) return false
  await to.put(name, bytes)
  if (!(await to.get(name))?.equals(bytes))
    throw new CommandError(`${to.place} gave other bytes back for ${name} than were stored there; nothing is switched`)
  return true
}

/**
 * Copies all files to another store as they are, encrypted, and compares every byte. Begun again it copies what is
 * left. Consoles may go on meanwhile.
 */
export async function copyStore(
  { documents: { files } }: Ctx,
  to: FileStore,
  onProgress: (move: StoreMove) => void = () => {},
): Promise<StoreMove> {
  const move: StoreMove = { present: 0, copied: 0 }
  let batch: string[] = []
  const finish = async () => {
    const copied = await Promise.all(batch.map((name) => copyFile(files, to, name)))
    for (const isCopied of copied) move[isCopied ? 'copied' : 'present']++
    batch = []
    onProgress(move)
  }
  for await (const { name } of files.list()) if (batch.push(name) >= copiesAtATime) await finish()
  await finish()
  return move
}

/** From now on the database names the files of this store: servers with the old one do not start any more. */
export async function switchStore(ctx: Ctx, to: FileStore): Promise<void> {
  const mark = createMark()
  await to.writeMark(mark)
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'document store')
    const known = await readKnownMark(tx)
    await writeKnownMark(tx, mark)
    await audit(tx, ctx, {
      action: 'move_documents',
      target: { type: 'document_store', id: mark },
      details: { from: ctx.documents.files.place, to: to.place, known },
    })
  })
}
