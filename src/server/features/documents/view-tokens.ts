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

/** A refusal worth a look: someone asked for a document that is not theirs to see that way (product 6.10). */
const reportRefusal = (ctx: Ctx, description: string, details: Record<string, unknown>) =>
  inTransaction(ctx, (tx) =>
    raiseSecurityEvent(tx, ctx, { severity: 'high', type: 'document_token_refused', description, details }),
  )

/**
 * A token to view one document of one member (product 6.4). The key must be that very member's, else not_found and a
 * security event; what is given out is an audit row.
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

/** What a token of this very session stands for. Throws not_found for any other, with a security event when it is another's. */
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

/** The image behind a token, opened. Throws not_found for the token, and for an image that the store has lost. */
export async function openDocument(ctx: Ctx, token: string): Promise<{ size: number; stream: Readable }> {
  const { storedName, documentPath } = await readDocumentToken(ctx, token)
  const file = await ctx.documents.open(storedName)
  if (!file) {
    ctx.log.error({ documentPath }, 'the document store does not hold a document that the database names')
    throw new AppError('not_found', 'The image of this document is missing')
  }
  return file
}
