import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import type { DocumentKind } from '#contract/kyc.ts'
import type { DocumentId } from '#server/adapters/document-store.ts'
import { inTransaction, type Ctx } from '#server/core/context.ts'
import { lockFile } from '#server/core/stored-files.ts'
import type { Tx } from '#server/db/client.ts'
import { sha256 } from '#server/lib/hash.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { writableColumns, buildInsert } from '#server/db/write.ts'
import { textArray } from '#server/db/parameters.ts'
import { erasedMemberError, findKnownMembers, unknownMemberError } from '#server/core/upsert.ts'
import { AppError } from '#server/lib/errors.ts'
import { prepareImage, type PreparedImage } from './image.ts'
import { deleteFiles, isFileChanging } from './keep-files.ts'

export interface StoredDocument {
  documentPath: string
  created: boolean
}

export interface NewDocument {
  memberId: string
  kind: DocumentKind
  image: Omit<PreparedImage, 'bytes'> & { byteSize: number }
}

/** Opaque and unguessable; never a file name. */
const generateKey = () => `doc_${randomBytes(16).toString('base64url')}`

/**
 * Stores an uploaded picture of a member (product 6.4). The same bytes give the same key, other bytes a new key, and
 * nothing is overwritten. `record` runs in the transaction. Throws the
 * errors of prepareImage, and not_found without the member.
 */
export async function storeDocument(
  ctx: Ctx,
  memberId: string,
  kind: DocumentKind,
  upload: Buffer,
  record: (tx: Tx, kept: StoredDocument) => Promise<void> = async () => {},
): Promise<StoredDocument> {
  const known = await ctx.database.db.execute<{ key: string | null; stored: string | null; isErased: boolean }>(sql`
    SELECT d.key, encode(d.stored_hash, 'hex') AS stored, m.erased_at IS NOT NULL AS "isErased" FROM members AS m
    LEFT JOIN documents AS d ON d.member_id = m.id AND d.kind = ${kind} AND d.upload_hash = ${sha256(upload)}
    WHERE m.id = ${memberId}`)
  const [found] = known.rows
  if (!found) throw unknownMemberError(memberId)
  if (found.isErased) throw erasedMemberError(memberId)
  if (found.key !== null && (await ctx.documents.has(pictureOf(Buffer.from(found.stored!, 'hex'))))) {
    const known = { documentPath: found.key, created: false }
    await inTransaction(ctx, (tx) => record(tx, known))
    return known
  }
  const { bytes, ...image } = await prepareImage(upload)
  return inTransactionWithFile(ctx, pictureOf(image.storedHash), bytes, async (tx) => {
    const [kept] = await saveDocuments(tx, [{ memberId, kind, image: { ...image, byteSize: bytes.length } }])
    if (!kept) throw (await findKnownMembers(tx, [{ memberId }])).refuse(memberId)!
    await record(tx, kept)
    return kept
  })
}

const storeTries = 3

/** The file was deleted between its storing and its row, or may yet be. */
class FileGoneError extends Error {}

/**
 * Stores a file, then runs `work` in a transaction in which nobody deletes it: it is durable before its row is, and no
 * connection to the database waits for the store. If `work` refuses, the file is deleted unless a row names it.
 */
export async function inTransactionWithFile<T>(
  ctx: Ctx,
  id: DocumentId,
  bytes: Buffer,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; attempt <= storeTries; attempt++) {
    await ctx.documents.put(id, bytes)
    try {
      return await inTransaction(ctx, async (tx) => {
        await lockFile(tx, id)
        if ((await isFileChanging(tx, id)) || !(await ctx.documents.has(id))) throw new FileGoneError()
        return work(tx)
      })
    } catch (error) {
      if (error instanceof FileGoneError) continue
      if (error instanceof AppError && error.status < 500) await deleteRefused(ctx, id)
      throw error
    }
  }
  throw new AppError('overloaded', 'The same file is just being deleted; try again in a while')
}

/** Like any file that no row names, one that cannot be deleted now is deleted later. */
const deleteRefused = (ctx: Ctx, id: DocumentId) =>
  deleteFiles(ctx, [id]).catch((err: unknown) => ctx.log.warn({ err, ...id }, 'a refused file is not deleted yet'))

/** The stored file of a picture. */
export const pictureOf = (storedHash: Buffer): DocumentId => ({ kind: 'picture', sha256: storedHash.toString('hex') })

/** Puts the prepared picture into the store. The same picture is stored once. */
export async function storeFile(ctx: Ctx, { bytes, ...image }: PreparedImage): Promise<NewDocument['image']> {
  await ctx.documents.put(pictureOf(image.storedHash), bytes)
  return { ...image, byteSize: bytes.length }
}

/** Writes the rows of stored documents, in two statements. Undefined for an unknown member. */
export async function saveDocuments(tx: Tx, items: readonly NewDocument[]): Promise<(StoredDocument | undefined)[]> {
  const members = await findKnownMembers(tx, items)
  const rows = items
    .filter((item) => members.has(item.memberId))
    .map(({ memberId, kind, image }) => ({
      key: generateKey(),
      memberId,
      kind,
      byteSize: image.byteSize,
      width: image.width,
      height: image.height,
      uploadHash: image.uploadHash,
      storedHash: image.storedHash,
      pictureHash: image.pictureHash,
    }))
  const inserted = await tx.execute<{ key: string }>(sql`
    ${buildInsert(writableColumns(documents), rows, ['memberId', 'kind', 'uploadHash'])}
    ON CONFLICT (member_id, kind, upload_hash) DO NOTHING RETURNING key`)
  const created = new Set(inserted.rows.map((row) => row.key))
  const stored = await tx.execute<{ key: string; place: string }>(sql`
    SELECT key, member_id || '/' || kind || '/' || encode(upload_hash, 'hex') AS place
    FROM documents WHERE member_id = ANY(${textArray(rows.map((row) => row.memberId))})`)
  const keyAt = new Map(stored.rows.map((row) => [row.place, row.key]))
  return items.map(({ memberId, kind, image }) => {
    const key = keyAt.get(`${memberId}/${kind}/${image.uploadHash.toString('hex')}`)
    return key === undefined ? undefined : { documentPath: key, created: created.has(key) }
  })
}
