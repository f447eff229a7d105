import type { FastifyRequest } from 'fastify'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import type { Db, Tx } from '#server/db/client.ts'
import { idempotentCalls } from '#server/db/tables/platform.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'

/** How long an answer is kept for repeated calls. */
const keepFor = sql`interval '24 hours'`

/** The owner of keys and batch ids. All platform keys share one, so that a key can be replaced at any time. */
export const ownerOf = ({ actor: { kind, name } }: Ctx): string => (kind === 'platform' ? kind : `${kind}:${name}`)

/** Throws invalid unless it has 1 to 255 visible characters. A repeated header contains a blank and is refused too. */
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

/** Identifies a call, whatever its address looks like. */
const hashCall = ({ method, routeOptions: { url }, params }: FastifyRequest, content: unknown) =>
  sha256(JSON.stringify([method, url, params, content ?? null]))

/**
 * Runs `work` once per `Idempotency-Key`, in the caller's transaction. A repeated call gets the first answer, even if both
 * arrive at once. A refused call leaves nothing, so that it can be repeated. Throws invalid for a bad key, and
 * idempotency_key_reused if the key came with another call. `content` is what tells calls to one address apart.
 */
export async function runOnce<Reply>(
  tx: Tx,
  ctx: Ctx,
  request: FastifyRequest,
  work: () => Promise<Reply>,
  content: unknown = request.body,
): Promise<{ reply: Reply; isRepeated: boolean }> {
  const key = readIdempotencyKey(request)
  if (key === undefined) return { reply: await work(), isRepeated: false }
  const requestHash = hashCall(request, content)
  const owner = ownerOf(ctx)
  const ofKey = and(eq(idempotentCalls.actor, owner), eq(idempotentCalls.key, key))
  // Waits for a running call with the same key.
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
    // The answer of this call, which its hash identifies.
    return { reply: first.reply as Reply, isRepeated: true }
  }
  const reply = await work()
  await tx.update(idempotentCalls).set({ reply }).where(ofKey)
  return { reply, isRepeated: false }
}
