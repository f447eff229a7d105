import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { readStoredFile } from '#server/core/stored-files.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { documentTokenMinutes } from '#contract/documents.ts'
import type { Database, Tx } from '#server/db/client.ts'
import { sessions } from '#server/db/tables/auth.ts'
import { documentTokens } from '#server/db/tables/documents.ts'
import { sha256 } from '#server/lib/hash.ts'
import { describeView, markPicture } from './watermark.ts'
import { pictureOf } from './store.ts'

/** A new token for one document, valid for this session only. Stores its hash. */
async function insertViewToken(tx: Tx, sessionId: string, documentKey: string): Promise<string> {
  // The lock keeps a sign-out from ending the session before the insert.
  const alive = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId)).for('key share')
  if (alive.length === 0) throw new AppError('unauthorized', 'Unauthorized')
  await tx
    .delete(documentTokens)
    .where(and(eq(documentTokens.sessionId, sessionId), sql`${documentTokens.expiresAt} <= now()`))
  const token = randomBytes(32).toString('base64url')
  const expiresAt = sql`now() + ${`${documentTokenMinutes.valid} minutes`}::interval`
  await tx.insert(documentTokens).values({ tokenHash: sha256(token), sessionId, documentKey, expiresAt })
  return token
}

/** The document of a token of any session. Null if the token is unknown, or expired by the database's clock. */
async function findViewToken({ db }: Database, token: string) {
  const [found] = await db
    .select({
      sessionId: documentTokens.sessionId,
      documentPath: documents.key,
      userId: documents.memberId,
      storedHash: documents.storedHash,
    })
    .from(documentTokens)
    .innerJoin(documents, eq(documents.key, documentTokens.documentKey))
    .where(and(eq(documentTokens.tokenHash, sha256(token)), sql`${documentTokens.expiresAt} > now()`))
  return found ?? null
}

interface DocumentRef {
  userId: string
  documentPath: string
}

const tokenExpiredError = () => new AppError('not_found', 'This document token has expired or is not valid')

/** Reports a request for a document that the session may not open (product 6.10). */
const reportRefusal = (ctx: Ctx, description: string, details: Record<string, unknown>) =>
  inTransaction(ctx, (tx) =>
    raiseSecurityEvent(tx, ctx, { severity: 'high', type: 'document_token_refused', description, details }),
  )

/**
 * Issues a token to view one document of one member (product 6.4), with an audit row. If the document is not that
 * member's, throws not_found and raises a security event.
 */
export async function issueDocumentToken(ctx: Ctx, { userId, documentPath }: DocumentRef): Promise<string> {
  const { name, sessionId } = adminOf(ctx)
  const [document] = await ctx.database.db
    .select({ key: documents.key, kind: documents.kind })
    .from(documents)
    .where(and(eq(documents.key, documentPath), eq(documents.memberId, userId)))
  if (!document) {
    await reportRefusal(ctx, `${name} asked for a document that this user does not have`, { userId, documentPath })
    throw notFound('Document')
  }
  return inTransaction(ctx, async (tx) => {
    const token = await insertViewToken(tx, sessionId, document.key)
    await audit(tx, ctx, {
      action: 'view_document',
      target: { type: 'user', id: userId },
      details: { documentPath, kind: document.kind },
    })
    return token
  })
}

/** Reads a token of this session. Throws not_found otherwise, with a security event if it is another session's. */
export async function readDocumentToken(ctx: Ctx, token: string): Promise<DocumentRef & { storedHash: Buffer }> {
  const found = await findViewToken(ctx.database, token)
  if (!found) throw tokenExpiredError()
  const { name, sessionId } = adminOf(ctx)
  const { userId, documentPath } = found
  if (found.sessionId !== sessionId) {
    await reportRefusal(ctx, `${name} used a document token of another session`, { userId, documentPath })
    throw tokenExpiredError()
  }
  return { userId, documentPath, storedHash: found.storedHash }
}

/**
 * The image of a token, with the operator's name and the time over it, so that a copy tells whose screen it comes from. The
 * stored image stays as it is. Throws not_found for the token, and for an image that is missing from the store. */
export async function openDocument(ctx: Ctx, token: string): Promise<Buffer> {
  const { userId, storedHash, documentPath } = await readDocumentToken(ctx, token)
  const file = await readStoredFile(ctx, pictureOf(storedHash), { userId, documentPath })
  if (!file) {
    ctx.log.error({ documentPath }, 'the document store does not hold a document that the database names')
    throw new AppError('not_found', 'The image of this document is missing')
  }
  return markPicture(file, describeView(adminOf(ctx).name, new Date()))
}
