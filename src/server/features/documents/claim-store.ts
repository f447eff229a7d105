import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import type { FileStore } from '#server/adapters/file-store.ts'
import { SettingError } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'

const settingName = 'document_store'

/** The mark of the store whose files this database names. Null before the first start, and after a restore. */
export async function readKnownMark(db: Db | Tx): Promise<string | null> {
  const [row] = await db.select().from(settings).where(eq(settings.name, settingName))
  return row ? String(row.value) : null
}

export const writeKnownMark = (tx: Tx, mark: string) =>
  tx
    .insert(settings)
    .values({ name: settingName, value: mark })
    .onConflictDoUpdate({ target: settings.name, set: { value: mark } })

export const createMark = (): string => randomUUID()

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
