import { and, eq } from 'drizzle-orm'
import type { Readable } from 'node:stream'
import { audit, raiseSecurityEvent } from '#server/core/audit.ts'
import { adminOf, type Ctx, inTransaction } from '#server/core/context.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { AppError, notFound } from '#server/lib/errors.ts'
import { findViewToken, insertViewToken } from './view-token-rows.ts'

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
 * Issues a token to view one document of one member (product 6.4), with an audit row. If the document is not that member's,
 * throws not_found and raises a security event.
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

/** Reads a token of this session. Throws not_found otherwise, with a security event if it belongs to another session. */
export async function readDocumentToken(ctx: Ctx, token: string): Promise<DocumentRef & { storedName: string }> {
  const found = await findViewToken(ctx.database, token)
  if (!found) throw tokenExpiredError()
  const { name, sessionId } = adminOf(ctx)
  const { userId, documentPath } = found
  if (found.sessionId !== sessionId) {
    await reportRefusal(ctx, `${name} used a document token of another session`, { userId, documentPath })
    throw tokenExpiredError()
  }
  return { userId, documentPath, storedName: found.storedHash.toString('hex') }
}

/** Opens the image of a token. Throws not_found for the token, and for an image that is missing from the store. */
export async function openDocument(ctx: Ctx, token: string): Promise<{ size: number; stream: Readable }> {
  const { storedName, documentPath } = await readDocumentToken(ctx, token)
  const file = await ctx.documents.open(storedName)
  if (!file) {
    ctx.log.error({ documentPath }, 'the document store does not hold a document that the database names')
    throw new AppError('not_found', 'The image of this document is missing')
  }
  return file
}
