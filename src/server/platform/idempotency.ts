import type { FastifyRequest } from 'fastify'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { idempotentCalls } from '#server/db/tables/platform.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'

/** How long an answer is kept for who asks again. */
const keepFor = sql`interval '24 hours'`

/** Whose keys and batch ids these are: all platform keys are one platform's, so that one may be replaced at any time. */
export const ownerOf = ({ actor: { kind, name } }: Ctx): string => (kind === 'platform' ? kind : `${kind}:${name}`)

/** Throws invalid unless it is 1 to 255 visible characters; given twice it holds a blank and is refused as well. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible characters')
  return key
}

export async function deleteExpiredAnswers(db: Db): Promise<void> {
  await db.delete(idempotentCalls).where(sql`${idempotentCalls.createdAt} < now() - ${keepFor}`)
}

/** The call as such, however its address is written. */
const hashCall = ({ method, routeOptions: { url }, params, body }: FastifyRequest) =>
  sha256(JSON.stringify([method, url, params, body ?? null]))

/**
 * Does `work` once for an `Idempotency-Key`, in the caller's transaction: the same call again is answered as it was the
 * first time, also when both come at once. A refused call leaves nothing behind, so that it can be tried again. Throws
 * invalid for a bad key, and idempotency_key_reused where the key came with another call.
 */
export async function runOnce<Reply>(
  tx: Tx,
  ctx: Ctx,
  request: FastifyRequest,
  work: () => Promise<Reply>,
): Promise<{ reply: Reply; isRepeated: boolean }> {
  const key = readIdempotencyKey(request)
  if (key === undefined) return { reply: await work(), isRepeated: false }
  const requestHash = hashCall(request)
  const owner = ownerOf(ctx)
  const ofKey = and(eq(idempotentCalls.actor, owner), eq(idempotentCalls.key, key))
  // Waits for a call with the same key that is under way.
  const begun = await tx
    .insert(idempotentCalls)
    .values({ actor: owner, key, requestHash })
    .onConflictDoUpdate({
      target: [idempotentCalls.actor, idempotentCalls.key],
      set: { requestHash, reply: null, createdAt: sql`now()` },
      setWhere: sql`${idempotentCalls.createdAt} < now() - ${keepFor}`,
    })
    .returning({ key: idempotentCalls.key })
  if (begun.length === 0) {
    const [first] = await tx.select().from(idempotentCalls).where(ofKey)
    if (!first?.requestHash.equals(requestHash))
      throw new AppError(
        'idempotency_key_reused',
        'Idempotency-Key: this key came with another call; each call needs a key of its own',
      )
    // What this very call, told by its hash, has answered.
    return { reply: first.reply as Reply, isRepeated: true }
  }
  const reply = await work()
  await tx.update(idempotentCalls).set({ reply }).where(ofKey)
  return { reply, isRepeated: false }
}
