import { sql } from 'drizzle-orm'
import { DamagedFileError, type DocumentId } from '#server/adapters/document-store.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { createLimiter } from '#server/lib/concurrency-limit.ts'
import { AppError } from '#server/lib/errors.ts'
import { raiseSecurityEvent } from './audit.ts'
import { type Ctx, inTransaction } from './context.ts'

// A file is proven whole before its first byte is sent, so each read holds one, at most 50 MB.
const limitReads = createLimiter(4, 64, 'Too many files at once; try again in a moment')

/** Waits until nobody else stores or deletes this file. */
export const lockFile = (tx: Tx, { kind, sha256 }: DocumentId): Promise<void> =>
  lockInTransaction(tx, `stored-file:${kind}/${sha256}`)

/**
 * The bytes of a stored file; null if the store has none. A damaged one is never returned: it is a log line, a critical
 * security event, once while that is open, and `internal`. `about` names what the file is of.
 */
export async function readStoredFile(ctx: Ctx, id: DocumentId, about: Record<string, string>): Promise<Buffer | null> {
  return limitReads(async () => {
    try {
      return await ctx.documents.read(id)
    } catch (error) {
      if (!(error instanceof DamagedFileError)) throw error
      ctx.log.error({ ...about, reason: error.message }, 'a stored file is damaged and was not shown')
      await reportDamage(ctx, error.message, about)
      throw new AppError('internal', 'This file is damaged, so it is not shown. It has to come from a back-up')
    }
  })
}

const reportDamage = (ctx: Ctx, reason: string, about: Record<string, string>) =>
  inTransaction(ctx, async (tx) => {
    const key = JSON.stringify(about)
    await lockInTransaction(tx, `damaged-file:${key}`)
    const { rows } = await tx.execute<{ id: string }>(sql`
      SELECT id::text FROM security_events
      WHERE event_type = 'stored_file_damaged' AND resolved_at IS NULL AND details @> ${key}::jsonb LIMIT 1`)
    if (rows.length > 0) return
    await raiseSecurityEvent(tx, ctx, {
      severity: 'critical',
      type: 'stored_file_damaged',
      description: `A stored file cannot be shown: ${reason}`,
      details: about,
    })
  })
