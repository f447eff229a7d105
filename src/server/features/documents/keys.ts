import { eq } from 'drizzle-orm'
import { audit } from '#server/core/audit.ts'
import { SettingError } from '#server/core/config.ts'
import { type Ctx, inTransaction, type Services } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { settings } from '#server/db/tables/core.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { passOverStore, type StorePass } from './keep-files.ts'

const keysName = 'document_keys'

async function readKnown(tx: Tx): Promise<string[]> {
  await lockInTransaction(tx, 'document keys')
  const [row] = await tx.select().from(settings).where(eq(settings.name, keysName))
  return (row?.value ?? []) as string[]
}

const writeKnown = (tx: Tx, ids: readonly string[]) =>
  tx
    .insert(settings)
    .values({ name: keysName, value: ids })
    .onConflictDoUpdate({ target: settings.name, set: { value: ids } })

/**
 * Notes in the database which keys encrypt documents. Throws SettingError if files need a key that is not here, because
 * this server would show an error for each of them.
 */
export async function adoptDocumentKeys({ documents: { keys }, database }: Services): Promise<void> {
  const known = await database.db.select().from(settings).where(eq(settings.name, keysName))
  // A lost file is not replaced by a new key: nothing is read before the database was asked.
  const needed = (known[0]?.value ?? []) as string[]
  if (needed.length > 0 && !keys.exist()) throw missingKeyError(needed, keys.place)
  const present = keys.list().map(({ id }) => id)
  const missing = needed.filter((id) => !present.includes(id))
  if (missing.length > 0) throw missingKeyError(missing, keys.place)
  if (present.every((id) => needed.includes(id))) return
  await database.transaction(async (tx) => {
    await writeKnown(tx, [...new Set([...(await readKnown(tx)), ...present])])
  })
}

const missingKeyError = (ids: readonly string[], place: string) =>
  new SettingError(
    `documents are encrypted with the key ${ids.join(', ')}, and ${place} does not hold it: put it there, or give up ` +
      'what it encrypts with: npm run admin -- keys drop documents --lost',
  )

interface KeyStatus extends StorePass {
  place: string
  /** Of the keys that are here; the first one encrypts. */
  ids: string[]
  /** Keys that the database names and that are not here. */
  missing: string[]
}

/** Which files need which key. Reads the header of each file. */
export async function readKeyStatus(ctx: Ctx): Promise<KeyStatus> {
  const { keys } = ctx.documents
  const known = await inTransaction(ctx, readKnown)
  const ids = keys.list().map(({ id }) => id)
  const pass = await passOverStore(ctx, { isWriting: false, isDeleting: false })
  return { ...pass, place: keys.place, ids, missing: known.filter((id) => !ids.includes(id)) }
}

/**
 * Wraps the key of each file with a new key. With a rotation that was cut short, or a setting, it goes on with the
 * first key instead of making one. The other keys stay, for what a server writes meanwhile.
 */
export async function rotateDocumentKey(ctx: Ctx): Promise<StorePass & { id: string; isNew: boolean }> {
  const { keys } = ctx.documents
  const { id, isNew } = await inTransaction(ctx, async (tx) => {
    const known = await readKnown(tx)
    const isNew = keys.add !== undefined && keys.list().length === 1
    if (isNew) keys.add!()
    const present = keys.list().map((key) => key.id)
    await writeKnown(tx, [...new Set([...known, ...present])])
    const id = present[0]!
    await audit(tx, ctx, { action: 'rotate_document_key', target: { type: 'document_key', id }, details: { isNew } })
    return { id, isNew }
  })
  return { ...(await passOverStore(ctx, { isWriting: true, isDeleting: false })), id, isNew }
}

/**
 * Removes the keys that no file needs, and from the database those that are not here if `isLost`. Throws CommandError
 * if a file needs one.
 */
export async function dropDocumentKeys(ctx: Ctx, isLost: boolean): Promise<string[]> {
  const { byKey, ids, missing } = await readKeyStatus(ctx)
  const old = ids.slice(1)
  const needed = old.filter((id) => (byKey[id] ?? 0) > 0)
  if (needed.length > 0)
    throw new CommandError(`Files still need the key ${needed.join(', ')}: first keys rotate documents`, 1)
  if (missing.length > 0 && !isLost)
    throw new CommandError(`The key ${missing.join(', ')} is not here; with --lost what it encrypts is given up`, 1)
  const dropped = [...old, ...missing]
  if (dropped.length === 0) return []
  await inTransaction(ctx, async (tx) => {
    const left = (await readKnown(tx)).filter((id) => !dropped.includes(id))
    await writeKnown(tx, left)
    await audit(tx, ctx, { action: 'drop_document_keys', details: { keys: dropped } })
    if (old.length > 0) ctx.documents.keys.drop?.(old)
  })
  return dropped
}
