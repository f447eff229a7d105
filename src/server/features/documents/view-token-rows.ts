import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { documentTokenMinutes } from '#contract/documents.ts'
import type { Database, Db, Tx } from '#server/db/client.ts'
import { sessions } from '#server/db/tables/auth.ts'
import { documentTokens } from '#server/db/tables/documents.ts'
import { documents } from '#server/db/tables/kyc.ts'
import { AppError } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'

/** A new token for one document, valid for this session only. Stores its hash. */
export async function insertViewToken(tx: Tx, sessionId: string, documentKey: string): Promise<string> {
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
export async function findViewToken({ db }: Database, token: string) {
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

export async function deleteExpiredViewTokens(db: Db): Promise<void> {
  await db.delete(documentTokens).where(sql`${documentTokens.expiresAt} < now()`)
}
