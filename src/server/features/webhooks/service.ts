import { and, desc, eq, sql } from 'drizzle-orm'
import { PlatformId } from '#contract/common.ts'
import { userIdRequired, type Attempted } from '#contract/kyc-webhooks.ts'
import type { ProviderAddress } from '#server/adapters/kyc-provider.ts'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { audit } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycDeliveries, kycWebhookLogs } from '#server/db/tables/webhooks.ts'
import { AppError, conflict, isDatabaseAway, notFound, sqlState } from '#server/errors.ts'
import { latestSubmittedAttempt } from '#server/features/kyc/service.ts'
import { lockMember } from '#server/features/users/service.ts'
import { readCase } from './case.ts'
import { type Held, holdCase, holdDue, recordTry, releaseCase } from './deliveries.ts'

export { askWebhookLogs, countUnreached, listWebhookLogs, webhookStats } from './logs.ts'
export { readCase } from './case.ts'
export { holdCase, queueCase, recordTry } from './deliveries.ts'
export { resendCases } from './resend.ts'
export { pauses as retryPauses } from './schedule.ts'

/** As a log row names who began a try that no operator did. */
export const queueName = 'queue'

/**
 * Sends a member's latest submitted attempt to the provider; answers when the try has ended, well or not (PRODUCT 3.18).
 * Throws invalid for no user id, not_found, conflict for a member never submitted and while a try is under way,
 * kyc_provider_disabled where there is no provider, and overloaded while the sandbox starts.
 */
export async function submitCase(ctx: Ctx, userId: string | null | undefined, stop: AbortSignal): Promise<Attempted> {
  return tryByHand(ctx, userId, stop, async (tx, memberId) => {
    const attempt = await latestSubmittedAttempt(tx, memberId)
    if (attempt === null) throw conflict('This user has never submitted KYC, so there is nothing to send')
    return { attempt, by: 'submit' }
  })
}

/** Tries again what a member's latest attempt to reach the provider failed at. Throws as `submitCase`. */
export async function retryCase(ctx: Ctx, userId: string | null | undefined, stop: AbortSignal): Promise<Attempted> {
  return tryByHand(ctx, userId, stop, async (tx, memberId) => {
    const [latest] = await tx
      .select({
        // One that failed beside another that arrived late needs no more either.
        hasArrived: sql<boolean>`${kycWebhookLogs.success} OR ${kycDeliveries.state} IS NOT DISTINCT FROM 'delivered'`,
        attempt: kycWebhookLogs.attemptNumber,
        at: kycWebhookLogs.createdAt,
      })
      .from(kycWebhookLogs)
      .leftJoin(
        kycDeliveries,
        and(
          eq(kycDeliveries.memberId, kycWebhookLogs.memberId),
          eq(kycDeliveries.attemptNumber, kycWebhookLogs.attemptNumber),
        ),
      )
      .where(eq(kycWebhookLogs.memberId, memberId))
      .orderBy(desc(kycWebhookLogs.createdAt), desc(kycWebhookLogs.id))
      .limit(1)
    if (!latest) throw conflict('Nothing has been sent for this user yet, so there is nothing to retry')
    if (latest.hasArrived) throw conflict("This user's latest attempt reached the provider", null, latest.at)
    return { attempt: latest.attempt, by: 'retry' }
  })
}

interface Choice {
  attempt: number
  by: 'submit' | 'retry'
}

async function tryByHand(
  ctx: Ctx,
  userId: string | null | undefined,
  stop: AbortSignal,
  choose: (tx: Tx, memberId: string) => Promise<Choice>,
): Promise<Attempted> {
  const memberId = userId?.trim()
  if (!memberId) throw new AppError('invalid', userIdRequired)
  if (!PlatformId.safeParse(memberId).success) throw notFound('User')
  const to = await ctx.kycProvider.find()
  const held = await inTransaction(ctx, async (tx) => {
    await lockMember(tx, memberId)
    const { attempt, by } = await choose(tx, memberId)
    if (!to) throw noProvider(ctx)
    const held = await holdCase(tx, memberId, attempt, by)
    await audit(tx, ctx, {
      action: `${by}_kyc`,
      target: { type: 'user', id: memberId },
      details: { attempt, webhookId: held.webhookId },
    })
    return held
  })
  const { outcome, logId } = await tryHeld(ctx, to!, held, ctx.actor.name, stop).catch((error: unknown) => {
    const isGivenUp = /^(55P03|57014|40)/.test(sqlState(error) ?? '')
    if (!isDatabaseAway(error) && !isGivenUp) throw error
    // The case is held: what is told of a change that failed as a whole would be untrue here.
    const message = 'It is not known whether the case was sent: the queue goes on with it in a moment'
    throw new AppError('outcome_unknown', message, { retryAfter: 30, cause: error })
  })
  return { webhookLogId: logId, success: outcome.success, ...(outcome.errorMessage && { error: outcome.errorMessage }) }
}

function noProvider({ kycProvider }: Ctx): AppError {
  if (!kycProvider.hasSandbox)
    return new AppError('kyc_provider_disabled', 'No KYC provider is configured: set KYC_WEBHOOK_URL')
  const message = 'The sandbox KYC provider is starting; try again in a moment'
  return new AppError('overloaded', message, { retryAfter: 2 })
}

/** One try of a case that is held, outside any transaction, and then its record in one of its own. */
async function tryHeld(
  ctx: Ctx,
  to: ProviderAddress,
  held: Held,
  startedBy: string,
  stop: AbortSignal,
): Promise<{ outcome: TryOutcome; logId: string }> {
  let outcome: TryOutcome
  try {
    const requestedBy = ctx.actor.kind === 'admin' ? 'operator' : 'queue'
    const sent = { ...(await readCase(ctx, held)), requestedBy } as const
    outcome = await ctx.kycProvider.send(to, held.webhookId, sent, stop)
  } catch (error) {
    await releaseCase(ctx, held)
    if (!stop.aborted) throw error
    const message = 'The console is restarting: the case is sent by the queue when it is back'
    throw new AppError('overloaded', message, { retryAfter: 5 })
  }
  return { outcome, logId: await inTransaction(ctx, (tx) => recordTry(tx, held, outcome, startedBy)) }
}

/**
 * Tries what is due, up to `atOnce` cases at a time, until nothing is; answers how many. Any number of servers may do it
 * at once. When `stop` says so, tries under way are given up and fall due again.
 */
export async function sendDueCases(ctx: Ctx, stop: AbortSignal, atOnce = 4): Promise<number> {
  const to = await ctx.kycProvider.find()
  if (!to) return 0
  let tried = 0
  const work = async () => {
    while (!stop.aborted) {
      const held = await holdDue(ctx)
      if (!held) return
      await tryHeld(ctx, to, held, queueName, stop)
      tried++
    }
  }
  const ended = await Promise.allSettled(Array.from({ length: atOnce }, work))
  const failed = ended.find((each) => each.status === 'rejected')
  if (failed && !stop.aborted) throw failed.reason
  return tried
}
