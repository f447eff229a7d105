import { and, eq, inArray, sql } from 'drizzle-orm'
import { announce, raiseSecurityEvent } from '#server/audit.ts'
import type { Ctx } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycReceipts, type receiptStates } from '#server/db/tables/webhooks.ts'
import { countRefusedSignature, networkOf } from '#server/features/auth/service.ts'
import type { Message } from './message.ts'

/** Of what bears no signature of ours, a network fills at most this much of the log in a minute. */
const refusedKept = 30

/** What became of a message, as its row says. */
export interface Outcome {
  state: (typeof receiptStates)[number]
  note: string
  httpStatus: number
  signature: Message['signature']
  attemptNumber?: number
  caseId?: string
}

/** The row of a message, in the transaction of what it did. `at`: when it came; now by the database's clock. */
export async function writeReceipt(
  tx: Tx,
  ctx: Ctx,
  message: Message,
  outcome: Outcome,
  { latencyMs, at }: { latencyMs: number; at: string | undefined },
): Promise<void> {
  const { source, id, sentAt, type, named, excerpt } = message
  await tx.insert(kycReceipts).values({
    source,
    webhookId: id,
    sentAt,
    type,
    ...named,
    ...outcome,
    latencyMs,
    bodyExcerpt: excerpt,
    ipAddress: ctx.ipAddress,
    createdAt: at,
  })
  await announce(tx, 'deliveries')
}

const refusals = {
  missing: { severity: 'medium', description: 'A KYC result came without a signature' },
  invalid: { severity: 'high', description: 'A KYC result came with a signature that is not the provider’s' },
  stale: { severity: 'medium', description: 'A KYC result came with a signature of another time' },
  replayed: { severity: 'low', description: 'A KYC result that was taken before came again, unchanged' },
} as const

/**
 * Counts a message that its signature speaks against: one security event a network and minute (PRODUCT 3.19). Answers
 * whether it still has room in the log.
 */
export async function countRefusal(tx: Tx, ctx: Ctx, signature: keyof typeof refusals): Promise<boolean> {
  const refused = await countRefusedSignature(tx, networkOf(ctx.ipAddress ?? ''))
  if (refused === 1) await raiseSecurityEvent(tx, ctx, { type: 'signature_refused', ...refusals[signature] })
  return refused <= refusedKept
}

/** Until the transaction ends, no other one takes the same message. */
export async function lockMessage(tx: Tx, { source, id }: Message): Promise<void> {
  await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`kyc-result:${source}:${id}`}, 0))`)
}

/** A message whose time still counts came within this long: the tolerance to both sides, and some more. */
const replayable = sql`interval '15 minutes'`

/** Whether a message was taken before; `replayed`: at the very same time too, which no provider does that sends again. */
export async function findEarlier(tx: Tx, { source, id, sentAt }: Message): Promise<'resent' | 'replayed' | undefined> {
  if (id === null) return undefined
  const isSame = and(eq(kycReceipts.source, source), eq(kycReceipts.webhookId, id))
  const taken = await tx
    .select({ sentAt: kycReceipts.sentAt })
    .from(kycReceipts)
    .where(and(isSame, inArray(kycReceipts.state, ['applied', 'recorded'])))
  if (taken.length === 0) return undefined
  // Sumsub sends the same bytes again.
  if (source === 'sumsub') return 'resent'
  const again = await tx
    .select({ sentAt: kycReceipts.sentAt })
    .from(kycReceipts)
    .where(and(isSame, eq(kycReceipts.state, 'duplicate'), sql`${kycReceipts.createdAt} > now() - ${replayable}`))
  return [...taken, ...again].some((each) => each.sentAt === sentAt) ? 'replayed' : 'resent'
}
