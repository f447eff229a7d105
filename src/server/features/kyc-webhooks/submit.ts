import { and, desc, eq, sql } from 'drizzle-orm'
import { PlatformId } from '#contract/schemas/common.ts'
import { memberIdRequired } from '#contract/kyc-webhooks.ts'
import type { CaseAttempt } from '#contract/schemas/kyc-webhooks.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { messageAttempts, messages } from '#server/db/tables/messages.ts'
import { AppError, conflict, isDatabaseAway, notFound, sqlState } from '#server/lib/errors.ts'
import { latestSubmittedAttempt } from '#server/features/kyc/service.ts'
import {
  type LeasedMessage,
  kycCases,
  recordTries,
  releaseMessages,
  type SendMessage,
  leaseCase,
} from '#server/features/messages/service.ts'
import { lockMember } from '#server/features/members/service.ts'

/**
 * Sends a member's latest submitted attempt to the provider and waits for the try to end (product 11.1). Throws invalid
 * without a user id, not_found, not_submitted, delivery_under_way, kyc_provider_disabled without a provider, and
 * overloaded while the sandbox starts.
 */
export async function submitCase(ctx: Ctx, userId: string | null | undefined, stop: AbortSignal): Promise<CaseAttempt> {
  return tryCaseNow(ctx, userId, stop, async (tx, memberId) => {
    const attempt = await latestSubmittedAttempt(tx, memberId)
    if (attempt === null)
      throw conflict('not_submitted', 'This user has never submitted KYC, so there is nothing to send')
    return { attempt, by: 'submit' }
  })
}

/** Repeats the member's last failed try. Throws like `submitCase`. */
export async function retryCase(ctx: Ctx, userId: string | null | undefined, stop: AbortSignal): Promise<CaseAttempt> {
  return tryCaseNow(ctx, userId, stop, async (tx, memberId) => {
    const latest = await findLatestTry(tx, memberId)
    if (!latest)
      throw conflict('nothing_to_retry', 'Nothing has been sent for this user yet, so there is nothing to retry')
    if (latest.hasArrived)
      throw conflict('nothing_to_retry', "This user's latest attempt reached the provider", { at: latest.at })
    return { attempt: latest.attempt, by: 'retry' }
  })
}

interface Choice {
  attempt: number
  by: 'submit' | 'retry'
}

async function tryCaseNow(
  ctx: Ctx,
  userId: string | null | undefined,
  stop: AbortSignal,
  choose: (tx: Tx, memberId: string) => Promise<Choice>,
): Promise<CaseAttempt> {
  const memberId = userId?.trim()
  if (!memberId) throw new AppError('invalid', memberIdRequired)
  if (!PlatformId.safeParse(memberId).success) throw notFound('User')
  const [provider] = await kycCases.connect(ctx)
  const held = await inTransaction(ctx, async (tx) => {
    await lockMember(tx, memberId)
    const { attempt, by } = await choose(tx, memberId)
    if (!provider) throw noProviderError(ctx)
    const held = await leaseCase(tx, ctx, memberId, attempt, by)
    await audit(tx, ctx, {
      action: `${by}_kyc`,
      target: { type: 'user', id: memberId },
      details: { attempt, webhookId: held.messageId },
    })
    return held
  })
  const { outcome, logId } = await sendHeldCase(ctx, provider!.send, held, stop).catch((error: unknown) => {
    const isGivenUp = /^(55P03|57014|40)/.test(sqlState(error) ?? '')
    if (!isDatabaseAway(error) && !isGivenUp) throw error
    // The case is leased, so the usual text that nothing was changed would be wrong.
    const message = 'It is not known whether the case was sent: the queue goes on with it in a moment'
    throw new AppError('outcome_unknown', message, { retryAfter: 30, cause: error })
  })
  return { webhookLogId: logId, success: outcome.success, ...(outcome.errorMessage && { error: outcome.errorMessage }) }
}

function noProviderError({ kycProvider }: Ctx): AppError {
  if (!kycProvider.hasSandbox)
    return new AppError('kyc_provider_disabled', 'No KYC provider is configured: set KYC_WEBHOOK_URL')
  const message = 'The sandbox KYC provider is starting; try again in a moment'
  return new AppError('overloaded', message, { retryAfter: 2 })
}

/** Makes one try of a leased case outside any transaction, then records it in a transaction. */
async function sendHeldCase(ctx: Ctx, send: SendMessage, held: LeasedMessage, stop: AbortSignal) {
  const outcome = await send(held, stop).catch(async (error: unknown) => {
    await releaseMessages(ctx, [held])
    if (!stop.aborted) throw error
    const message = 'The console is restarting: the case is sent by the queue when it is back'
    throw new AppError('overloaded', message, { retryAfter: 5 })
  })
  const ended = [{ message: held, outcome }]
  const startedBy = ctx.actor.name
  const logs = await inTransaction(ctx, (tx) => recordTries(tx, ctx, kycCases, ended, { startedBy }))
  return { outcome, logId: logs.get(held.id)! }
}

interface LatestTry {
  attempt: number
  at: string
  /** A try that failed while another one arrived needs no retry. */
  hasArrived: boolean
}

/** The member's newest try to send a case. */
async function findLatestTry(tx: Tx, memberId: string): Promise<LatestTry | undefined> {
  const [latest] = await tx
    .select({
      attempt: sql<number>`${messages.attemptNumber}`,
      at: messageAttempts.createdAt,
      hasArrived: sql<boolean>`${messageAttempts.success} OR ${messages.state} = 'delivered'`,
    })
    .from(messageAttempts)
    .innerJoin(messages, eq(messages.id, messageAttempts.messageId))
    .where(and(eq(messages.channel, 'kyc'), eq(messages.direction, 'out'), eq(messages.entityId, memberId)))
    .orderBy(desc(messageAttempts.createdAt), desc(messageAttempts.id))
    .limit(1)
  return latest
}
