import { eq, sql } from 'drizzle-orm'
import {
  DamagedFileError,
  type DocumentId,
  type FileKind,
  fileKinds,
  type StoredDocument,
} from '#server/adapters/document-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockFile } from '#server/core/stored-files.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { revokeLeases, takeLease } from '#server/db/lease.ts'
import { settings } from '#server/db/tables/core.ts'

/** A file that no row names is deleted when it is this old: a restored database may be older than its files. */
export const unnamedDays = 30
const unnamedMs = unnamedDays * 24 * 3600 * 1000
const keepEveryHours = 24
const keptName = 'files_kept'
/** The last file that a pass was through with. */
const passedName = 'files_passed'
const filesAtATime = 200

/** What a pass over the store found and did. */
export interface StorePass {
  /** Files by the id of the key that they need, as the pass left them. */
  byKey: Record<string, number>
  plain: number
  unreadable: number
  encrypted: number
  rewrapped: number
  deleted: number
  /** Files that the store did not change, and that stay as they were. */
  failed: number
}

/** So many may fail before the store counts as away, which ends the pass. */
const mostFailed = 10

/** What may be done on the way. */
export interface PassOptions {
  /** Encrypts plain files and wraps with the first key. */
  isWriting: boolean
  /** Deletes old files that no row names. */
  isDeleting: boolean
  /** Goes on behind the file of this name. */
  after?: string | undefined
  /** Gets the last name each time that some files are done. */
  onDone?: (name: string) => Promise<unknown>
}

/** The kinds under which rows name these bytes. */
async function findKinds(db: Db | Tx, digests: string[]): Promise<Map<string, FileKind[]>> {
  const { rows } = await db.execute<{ kind: FileKind; sha256: string }>(sql`
    SELECT DISTINCT 'picture' AS kind, encode(stored_hash, 'hex') AS sha256 FROM documents
    WHERE stored_hash = ANY(SELECT decode(d, 'hex') FROM unnest(${textArray(digests)}) d)
    UNION ALL SELECT 'statement', sha256 FROM bank_imports WHERE sha256 = ANY(${textArray(digests)})`)
  const kinds = new Map<string, FileKind[]>()
  for (const { kind, sha256 } of rows) kinds.set(sha256, [...(kinds.get(sha256) ?? []), kind])
  return kinds
}

/** Begins the names of leases. A row that has ended is a change that is left to be finished. */
export const fileWork = 'stored-file:'
/** A store takes no request that was signed more than 15 minutes before. */
const settleSeconds = 1800

/**
 * Changes what the store holds of some bytes, by the kinds under which rows name them; `change` answers whether nothing
 * is left to be done. Answers false where it is not done, or where another change of these bytes has not ended.
 *
 * A request that is given up may still take effect, and the lock of the file ends with its transaction, which
 * PostgreSQL ends when a store takes long. So a lease is committed before the first request, and goes with the answer
 * to the last. While it stands no row is written that trusts in the file (`inTransactionWithFile`), and no other change
 * begins: until half an hour after a request whose end nobody knows. Such requests are made once, as a later answer
 * would say nothing about an earlier try. The lease is taken under the lock, so that who finds it can leave the work to
 * its holder, who has yet to look at the rows, or to `finishChanges`, which comes when the lease has ended.
 *
 * This cannot exclude a store that does what it was asked more than half an hour ago, nor a process that stood still
 * for so long between its look at the lease and its request.
 */
async function changeFile(ctx: Ctx, sha256: string, change: (kinds: FileKind[]) => Promise<boolean>): Promise<boolean> {
  const { database } = ctx
  const lock = async (tx: Tx) => {
    for (const kind of fileKinds) await lockFile(tx, { kind, sha256 })
  }
  const lease = await database.transaction(async (tx) => {
    await lock(tx)
    return takeLease(database, fileWork + sha256, settleSeconds, tx)
  })
  if (!lease) return false
  try {
    return await database.transaction(async (tx) => {
      await lock(tx)
      await lease.check(tx)
      lease.signal.throwIfAborted()
      const isDone = await change((await findKinds(tx, [sha256])).get(sha256) ?? [])
      if (isDone) await lease.release(tx)
      return isDone
    })
  } finally {
    lease.leave()
  }
}

/**
 * Notes in the transaction that deletes their rows that these files are to be deleted, so that `finishChanges` does it
 * where `deleteFiles` does not come to it. A change that is under way loses its lease by that.
 */
export async function noteDeletions(tx: Tx, ids: readonly DocumentId[]): Promise<void> {
  await revokeLeases(
    tx,
    ids.map(({ sha256 }) => fileWork + sha256),
  )
}

/** Whether a change of these bytes has not ended, so that the file may yet be deleted. Ask under its lock. */
export async function isFileChanging(tx: Tx, { sha256 }: DocumentId): Promise<boolean> {
  const { rows } = await tx.execute<{ name: string }>(
    sql`SELECT name FROM leases WHERE name = ${fileWork + sha256} AND held_until > now()`,
  )
  return rows.length > 0
}

const digestOf = (file: StoredDocument) =>
  file.state === 'plain' ? file.sha256 : file.state === 'encrypted' ? file.id.sha256 : null

const isNamedBy = (file: StoredDocument, kinds: readonly FileKind[]) =>
  file.state === 'encrypted' ? kinds.includes(file.id.kind) : kinds.length > 0

/**
 * Goes through all files: encrypts those from before, wraps keys with the present key, and deletes old files that no
 * row names. Stopped and begun again, it does what is left; it goes by name. Several at once do no harm.
 */
export async function passOverStore(ctx: Ctx, options: PassOptions, stop?: AbortSignal): Promise<StorePass> {
  const pass: StorePass = { byKey: {}, plain: 0, unreadable: 0, encrypted: 0, rewrapped: 0, deleted: 0, failed: 0 }
  let batch: StoredDocument[] = []
  const finishBatch = async () => {
    const digests = batch.map(digestOf).filter((digest) => digest !== null)
    const kinds = await findKinds(ctx.database.db, digests)
    for (const file of batch) await handle(ctx, pass, options, file, kinds.get(digestOf(file) ?? '') ?? [])
    if (batch.length > 0) await options.onDone?.(batch.at(-1)!.name)
    batch = []
  }
  for await (const file of ctx.documents.list(options.after)) {
    if (stop?.aborted) break
    batch.push(file)
    if (batch.length >= filesAtATime) await finishBatch()
  }
  await finishBatch()
  if (pass.deleted > 0)
    await inTransaction(ctx, (tx) =>
      audit(tx, ctx, { action: 'delete_unnamed_files', details: { files: pass.deleted, olderThanDays: unnamedDays } }),
    )
  return pass
}

const count = (byKey: Record<string, number>, id: string) => void (byKey[id] = (byKey[id] ?? 0) + 1)

async function handle(ctx: Ctx, pass: StorePass, options: PassOptions, file: StoredDocument, kinds: FileKind[]) {
  if (file.state === 'unreadable') {
    if (options.isWriting) ctx.log.error({ file: file.name, keyId: file.keyId }, 'a stored file cannot be read')
    return void pass.unreadable++
  }
  const isNamed = isNamedBy(file, kinds)
  const present = ctx.documents.keys.list()[0]!.id
  const isLeft = !options.isWriting || !isNamed
  try {
    if (!isNamed && options.isDeleting && Date.now() - file.changedAt.getTime() > unnamedMs) {
      if (await deleteIfUnnamed(ctx, file)) return void pass.deleted++
    }
    if (file.state === 'plain') {
      if (isLeft || !(await rewriteFile(ctx, file, isNamed, (now) => ctx.documents.encrypt(file, now))))
        return void pass.plain++
      pass.encrypted += kinds.length
      for (let each = 0; each < kinds.length; each++) count(pass.byKey, present)
    } else if (
      file.keyId === present ||
      !options.isWriting ||
      !(await rewriteFile(ctx, file, isNamed, () => ctx.documents.rewrap(file)))
    )
      count(pass.byKey, file.keyId)
    else {
      pass.rewrapped++
      count(pass.byKey, present)
    }
  } catch (error) {
    if (error instanceof DamagedFileError) {
      pass.unreadable++
      return ctx.log.error({ file: file.name, reason: error.message }, 'a stored file is damaged')
    }
    if (++pass.failed > mostFailed) throw error
    ctx.log.warn({ err: error, file: file.name }, 'a stored file is left as it was')
    if (file.state === 'plain') pass.plain++
    else count(pass.byKey, file.keyId)
  }
}

/**
 * Rewrites a file. One whose rows are gone since it was listed keeps its lease, so that it is deleted: who deleted the
 * rows may have left the file to this work. Throws DamagedFileError, which leaves nothing to be done.
 */
async function rewriteFile(
  ctx: Ctx,
  file: StoredDocument,
  hadRows: boolean,
  rewrite: (kinds: FileKind[]) => Promise<void>,
): Promise<boolean> {
  let damage: DamagedFileError | undefined
  const isDone = await changeFile(ctx, digestOf(file)!, async (kinds) => {
    if (hadRows && !isNamedBy(file, kinds)) return false
    await rewrite(kinds).catch((error: unknown) => {
      if (!(error instanceof DamagedFileError)) throw error
      damage = error
    })
    return true
  })
  if (damage) throw damage
  return isDone
}

async function deleteIfUnnamed(ctx: Ctx, file: StoredDocument): Promise<boolean> {
  let isDeleted = false
  await changeFile(ctx, digestOf(file)!, async (kinds) => {
    if (!isNamedBy(file, kinds)) {
      await ctx.documents.remove(file)
      isDeleted = true
    }
    return true
  })
  return isDeleted
}

/** Deletes the files of rows that are gone, unless another row names the same bytes. The first that it cannot ends it. */
export async function deleteFiles(ctx: Ctx, ids: readonly Pick<DocumentId, 'sha256'>[]): Promise<void> {
  for (const sha256 of new Set(ids.map((id) => id.sha256)))
    await changeFile(ctx, sha256, async (kinds) => {
      const unnamed = fileKinds.filter((kind) => !kinds.includes(kind))
      const deletions = unnamed.map((kind) => ctx.documents.delete({ kind, sha256 }))
      if (kinds.length === 0) deletions.push(ctx.documents.deletePlain(sha256))
      await Promise.all(deletions)
      return true
    })
}

/** Deletes what changes that did not end have left, if no row names it. What fails has its turn after the others. */
async function finishChanges(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const readEnded = () =>
    ctx.database.db.execute<{ sha256: string }>(sql`
      SELECT substr(name, ${fileWork.length + 1}) AS sha256 FROM leases
      WHERE name LIKE ${`${fileWork}%`} AND held_until < now() ORDER BY held_until LIMIT ${filesAtATime}`)
  try {
    for (let { rows } = await readEnded(); rows.length > 0 && !stop.aborted; { rows } = await readEnded())
      await deleteFiles(ctx, rows)
  } catch (error) {
    ctx.log.warn({ err: error }, 'some files are not deleted yet')
  }
}

/**
 * Ends changes of the store that were cut off. Passes over it once a day, and at the first start with this version; one
 * of several servers does. A pass that was cut off goes on where it was.
 */
export async function keepFilesWhenDue(ctx: Ctx, stop: AbortSignal): Promise<void> {
  await finishChanges(ctx, stop)
  const { rows } = await ctx.database.db.execute<{ name: string }>(sql`
    INSERT INTO settings (name, value) VALUES (${keptName}, to_jsonb(now()))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    WHERE (settings.value #>> '{}')::timestamptz < now() - make_interval(hours => ${keepEveryHours}) RETURNING name`)
  if (rows.length === 0) return
  const { db } = ctx.database
  const [passed] = await db.select().from(settings).where(eq(settings.name, passedName))
  const after = passed && String(passed.value)
  let isPassing = false
  const onDone = async (name: string) => {
    isPassing = true
    await db.execute(sql`
      INSERT INTO settings (name, value) VALUES (${keptName}, to_jsonb(now())), (${passedName}, to_jsonb(${name}::text))
      ON CONFLICT (name) DO UPDATE SET value = excluded.value`)
    await finishChanges(ctx, stop)
  }
  const forget = (name: string) => db.delete(settings).where(eq(settings.name, name))
  const options = { isWriting: true, isDeleting: true, after, onDone }
  const { byKey: _, ...pass } = await passOverStore(ctx, options, stop).catch(async (error: unknown) => {
    // Where it fails at once, the next one begins with the first file, or those before would have their turn no more.
    if (!isPassing) await forget(passedName)
    throw error
  })
  await forget(stop.aborted ? keptName : passedName)
  if (pass.encrypted + pass.rewrapped + pass.deleted + pass.unreadable > 0)
    ctx.log.info(pass, 'passed over the stored files')
}
