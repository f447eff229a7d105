import { sql } from 'drizzle-orm'
import {
  DamagedFileError,
  type DocumentId,
  type FileKind,
  type StoredDocument,
} from '#server/adapters/document-store.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockFile } from '#server/core/stored-files.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Db, Tx } from '#server/db/client.ts'

/** A file that no row names is deleted when it is this old: a restored database may be older than its files. */
export const unnamedDays = 30
const unnamedMs = unnamedDays * 24 * 3600 * 1000
const keepEveryHours = 24
const keptName = 'files_kept'
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
}

/** What may be done on the way. */
export interface PassOptions {
  /** Encrypts plain files and wraps with the first key. */
  isWriting: boolean
  /** Deletes old files that no row names. */
  isDeleting: boolean
}

const place = ({ kind, sha256 }: DocumentId) => `${kind}/${sha256}`

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

const digestOf = (file: StoredDocument) =>
  file.state === 'plain' ? file.sha256 : file.state === 'encrypted' ? file.id.sha256 : null

/**
 * Goes through all files: encrypts those from before, wraps keys with the present key, and deletes old files that no
 * row names. Stopped and begun again, it does what is left. Several at once do no harm.
 */
export async function passOverStore(ctx: Ctx, options: PassOptions, stop?: AbortSignal): Promise<StorePass> {
  const pass: StorePass = { byKey: {}, plain: 0, unreadable: 0, encrypted: 0, rewrapped: 0, deleted: 0 }
  let batch: StoredDocument[] = []
  const finishBatch = async () => {
    const digests = batch.map(digestOf).filter((digest) => digest !== null)
    const kinds = await findKinds(ctx.database.db, digests)
    for (const file of batch) await handle(ctx, pass, options, file, kinds.get(digestOf(file) ?? '') ?? [])
    batch = []
  }
  for await (const file of ctx.documents.list()) {
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
  const isNamed = file.state === 'plain' ? kinds.length > 0 : kinds.includes(file.id.kind)
  if (!isNamed && options.isDeleting && Date.now() - file.changedAt.getTime() > unnamedMs) {
    if (await deleteIfUnnamed(ctx, file)) return void pass.deleted++
  }
  const present = ctx.documents.keys.list()[0]!.id
  const isLeft = !options.isWriting || !isNamed
  try {
    if (file.state === 'plain') {
      if (isLeft) return void pass.plain++
      await ctx.documents.encrypt(file, kinds)
      pass.encrypted += kinds.length
      for (let each = 0; each < kinds.length; each++) count(pass.byKey, present)
    } else if (file.keyId === present || !options.isWriting) count(pass.byKey, file.keyId)
    else {
      await rewrapUnderLock(ctx, file)
      pass.rewrapped++
      count(pass.byKey, present)
    }
  } catch (error) {
    if (!(error instanceof DamagedFileError)) throw error
    pass.unreadable++
    ctx.log.error({ file: file.name, reason: error.message }, 'a stored file is damaged')
  }
}

/** Nobody deletes the file meanwhile, or it would come back under its new name. */
const rewrapUnderLock = (ctx: Ctx, file: StoredDocument & { state: 'encrypted' }) =>
  inTransaction(ctx, async (tx) => {
    await lockFile(tx, file.id)
    await ctx.documents.rewrap(file)
  })

/** Nobody stores the same bytes meanwhile. */
const deleteIfUnnamed = (ctx: Ctx, file: StoredDocument & { state: 'plain' | 'encrypted' }): Promise<boolean> =>
  inTransaction(ctx, async (tx) => {
    const ids: DocumentId[] =
      file.state === 'encrypted'
        ? [file.id]
        : (['picture', 'statement'] as const).map((kind) => ({ kind, sha256: file.sha256 }))
    for (const id of ids) await lockFile(tx, id)
    const kinds = await findKinds(tx, [ids[0]!.sha256])
    if (ids.some(({ kind, sha256 }) => kinds.get(sha256)?.includes(kind))) return false
    await ctx.documents.remove(file)
    return true
  })

/** Deletes the files of rows that are gone, unless another row names the same bytes. */
export async function deleteFiles(ctx: Ctx, ids: readonly DocumentId[]): Promise<void> {
  for (const id of new Map(ids.map((each) => [place(each), each])).values())
    await inTransaction(ctx, async (tx) => {
      await lockFile(tx, id)
      const kinds = (await findKinds(tx, [id.sha256])).get(id.sha256) ?? []
      if (!kinds.includes(id.kind)) await ctx.documents.delete(id)
      if (kinds.length === 0) await ctx.documents.deletePlain(id.sha256)
    })
}

/** Passes over the store once a day, and at the first start with this version. One of several servers does. */
export async function keepFilesWhenDue(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const { rows } = await ctx.database.db.execute<{ name: string }>(sql`
    INSERT INTO settings (name, value) VALUES (${keptName}, to_jsonb(now()))
    ON CONFLICT (name) DO UPDATE SET value = excluded.value
    WHERE (settings.value #>> '{}')::timestamptz < now() - make_interval(hours => ${keepEveryHours}) RETURNING name`)
  if (rows.length === 0) return
  const { byKey: _, ...pass } = await passOverStore(ctx, { isWriting: true, isDeleting: true }, stop)
  if (stop.aborted) await ctx.database.db.execute(sql`DELETE FROM settings WHERE name = ${keptName}`)
  if (pass.encrypted + pass.rewrapped + pass.deleted + pass.unreadable > 0)
    ctx.log.info(pass, 'passed over the stored files')
}
