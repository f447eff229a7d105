import type { FastifyReply, FastifyRequest } from 'fastify'
import { and, desc, eq, or, sql } from 'drizzle-orm'
import type { Ctx } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import type { Tx } from '#server/db/client.ts'
import { idempotentCalls, platformKeys } from '#server/db/tables/platform.ts'
import { settingKeyName } from '#server/features/keys/service.ts'
import { AppError, invalidField } from '#server/lib/errors.ts'
import { sha256 } from '#server/lib/hash.ts'

/** How long an answer is kept for repeated calls, in SQL. */
export const answerKept = sql`interval '24 hours'`

/** Throws invalid unless it has 1 to 255 visible characters. A repeated header contains a blank and is refused too. */
export function readIdempotencyKey({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalidField('Idempotency-Key', 'must be 1 to 255 visible characters')
  return key
}

/** Says of a repeated answer that it is one. */
export function markRepeated(reply: FastifyReply, isRepeated: boolean): void {
  if (isRepeated) reply.header('idempotent-replayed', 'true')
}

/** Identifies a call, whatever its address looks like. */
const hashCall = ({ method, routeOptions: { url }, params }: FastifyRequest, content: unknown) =>
  sha256(JSON.stringify([method, url, params, content ?? null]))

/** SQL: what the keys of the platform are called as actors. One of them may repeat a call of one that it replaces. */
const platformActors = sql`ARRAY(SELECT 'platform:' || name FROM ${platformKeys}) || ${`platform:${settingKeyName}`}::text`

/**
 * Runs `work` once per `Idempotency-Key`, in the caller's transaction. A repeated call gets the first answer, even if
 * both arrive at once, and under another key of the platform too. A refused call leaves nothing, so that it can be
 * repeated. Throws invalid for a bad key, and idempotency_key_reused if the caller sent another call with it. `content`
 * is what tells calls to one address apart.
 */
export async function runOnce<Reply>(
  tx: Tx,
  { actor: { kind, name } }: Ctx,
  request: FastifyRequest,
  work: () => Promise<Reply>,
  content: unknown = request.body,
): Promise<{ reply: Reply; isRepeated: boolean }> {
  const key = readIdempotencyKey(request)
  if (key === undefined) return { reply: await work(), isRepeated: false }
  const requestHash = hashCall(request, content)
  const actor = `${kind}:${name}`
  // Waits for a running call with the same key.
  await lockInTransaction(tx, `idempotency key ${key}`)
  const isSameCall = eq(idempotentCalls.requestHash, requestHash)
  const [first] = await tx
    .select()
    .from(idempotentCalls)
    .where(
      and(
        eq(idempotentCalls.key, key),
        sql`${idempotentCalls.createdAt} >= now() - ${answerKept}`,
        or(eq(idempotentCalls.actor, actor), and(sql`${idempotentCalls.actor} = ANY (${platformActors})`, isSameCall)),
      ),
    )
    .orderBy(desc(isSameCall))
    .limit(1)
  if (first) {
    if (!first.requestHash.equals(requestHash))
      throw new AppError(
        'idempotency_key_reused',
        'Idempotency-Key: this key came with another call; each call needs a key of its own',
      )
    // The answer of this call, which its hash identifies.
    return { reply: first.reply as Reply, isRepeated: true }
  }
  const reply = await work()
  const row = { requestHash, reply, createdAt: sql`now()` }
  await tx
    .insert(idempotentCalls)
    .values({ actor, key, ...row })
    .onConflictDoUpdate({ target: [idempotentCalls.actor, idempotentCalls.key], set: row })
  return { reply, isRepeated: false }
}
