import { and, eq, inArray, or, sql } from 'drizzle-orm'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { messages, type receivedStates, type signatureVerdicts } from '#server/db/tables/messages.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'

/** A message as it came in: whose form it is in, and what it is known by when it comes again. */
export interface ReceivedMessage {
  source: string
  id: string | null
  /** The time that the message is signed with: in our scheme that of this try. */
  sentAt: string | null
  type: string
  /** The member, attempt and case that it names. Null where it names none. */
  named: { memberId: string | null; attemptNumber: number | null; caseId: string | null }
  /** Its body without personal data and secrets. */
  excerpt: string | null
}

/** The outcome of a message that came in. */
export interface ReceivedOutcome {
  state: (typeof receivedStates)[number]
  /** What was done with it, or why not, in words. */
  note: string
  httpStatus: number
  signature: (typeof signatureVerdicts)[number]
}

/** The row of a message, in the transaction of what it did. */
export async function recordReceived(
  tx: Tx,
  ctx: Ctx,
  { source, id, sentAt, type, named, excerpt }: ReceivedMessage,
  outcome: ReceivedOutcome,
  latencyMs: number,
): Promise<void> {
  const { memberId, ...names } = named
  await tx
    .insert(messages)
    .values({
      channel: 'kyc',
      direction: 'in',
      source,
      messageId: id,
      signedAt: sentAt,
      type,
      entityType: 'member',
      entityId: memberId,
      ...names,
      ...outcome,
      latencyMs,
      bodyExcerpt: excerpt,
      ipAddress: ctx.ipAddress,
      createdAt: ctx.at,
    })
  await announce(tx, 'messages')
}

/** Until the transaction ends, no other one takes the same message. */
export async function lockReceived(tx: Tx, { source, id }: ReceivedMessage): Promise<void> {
  await lockInTransaction(tx, `kyc-result:${source}:${id}`)
}

/** A message whose time still counts came within this long: the tolerance to both sides, and some more. */
const replayWindow = sql`interval '15 minutes'`

/** Whether a message was taken before, and whether at the very same time. */
export async function findEarlier(
  tx: Tx,
  { source, id, sentAt }: ReceivedMessage,
): Promise<'same time' | 'other time' | undefined> {
  if (id === null) return undefined
  const isSame = and(eq(messages.direction, 'in'), eq(messages.source, source), eq(messages.messageId, id))
  const isTaken = inArray(messages.state, ['applied', 'recorded'])
  const isRecent = sql`${messages.createdAt} > now() - ${replayWindow}`
  const earlier = await tx
    .select({ signedAt: messages.signedAt, state: messages.state })
    .from(messages)
    .where(and(isSame, or(isTaken, and(eq(messages.state, 'duplicate'), isRecent))))
  if (earlier.every(({ state }) => state === 'duplicate')) return undefined
  return earlier.some(({ signedAt }) => signedAt === sentAt) ? 'same time' : 'other time'
}

/** When a message first came, in whichever of its tries; now by the database's clock for a new one. */
export async function readFirstArrival(tx: Tx, { source, id }: ReceivedMessage): Promise<string> {
  const { rows } = await tx.execute<{ at: string }>(sql`
    SELECT coalesce(min(created_at), now()) AS at FROM messages
    WHERE direction = 'in' AND source = ${source} AND message_id = ${id} AND signature = 'valid'`)
  return toInstant(rows[0]!.at)
}

/** Which of these messages came before, whatever became of them. */
export async function findReceived(
  ctx: Ctx,
  source: ReceivedMessage['source'],
  ids: readonly string[],
): Promise<Set<string>> {
  const found = await ctx.database.db
    .select({ id: messages.messageId })
    .from(messages)
    .where(and(eq(messages.direction, 'in'), eq(messages.source, source), inArray(messages.messageId, [...ids])))
  return new Set(found.flatMap(({ id }) => id ?? []))
}
