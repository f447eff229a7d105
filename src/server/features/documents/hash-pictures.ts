import { sql } from 'drizzle-orm'
import { DamagedFileError } from '#server/adapters/document-store.ts'
import type { Ctx } from '#server/core/context.ts'
import { takeLease } from '#server/db/lease.ts'
import { pictureOf } from './store.ts'
import { hashPicture } from './picture-hash.ts'

const filesAtATime = 50
const leaseSeconds = 60

/**
 * Gives pictures that have none their hash, the newest first: those from before there were hashes, and those that a
 * server of an earlier version stored. Stopped and begun again, it does what is left. Returns the number of files.
 */
export async function hashPictures(ctx: Ctx, stop: AbortSignal): Promise<number> {
  const lease = await takeLease(ctx.database, 'hash-pictures', leaseSeconds)
  if (!lease) return 0
  try {
    for (let hashed = 0; ;) {
      const files = await listUnhashedFiles(ctx)
      for (const file of files) {
        if (stop.aborted || lease.signal.aborted) return hashed
        await hashFile(ctx, file)
        hashed += 1
      }
      if (files.length === 0) return hashed
    }
  } finally {
    await lease.release()
  }
}

const isUnhashed = sql`picture_hash IS NULL AND hash_failed_at IS NULL`

/** Their SHA-256. Several rows may name one file. */
async function listUnhashedFiles({ database: { db } }: Ctx): Promise<string[]> {
  const { rows } = await db.execute<{ sha256: string }>(sql`
    SELECT DISTINCT encode(stored_hash, 'hex') AS sha256 FROM (
      SELECT stored_hash FROM documents WHERE ${isUnhashed} ORDER BY created_at DESC, key DESC LIMIT ${filesAtATime}) newest`)
  return rows.map(({ sha256 }) => sha256)
}

async function hashFile(ctx: Ctx, sha256: string): Promise<void> {
  const hash = await readHash(ctx, sha256)
  const set = hash === null ? sql`hash_failed_at = now()` : sql`picture_hash = ${hash}::bit(256)`
  await ctx.database.db.execute(
    sql`UPDATE documents SET ${set} WHERE stored_hash = decode(${sha256}, 'hex') AND ${isUnhashed}`,
  )
}

/** Null where the file is lost, damaged, no picture, of one colour. An absent store ends the job, which runs again. */
async function readHash(ctx: Ctx, sha256: string): Promise<string | null> {
  try {
    const bytes = await ctx.documents.read(pictureOf(Buffer.from(sha256, 'hex')))
    return bytes && (await hashPicture(bytes).catch(() => null))
  } catch (error) {
    if (error instanceof DamagedFileError) return null
    throw error
  }
}
