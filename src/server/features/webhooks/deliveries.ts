import { and, eq, sql } from 'drizzle-orm'
import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { announce } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { kycDeliveries, kycWebhookLogs } from '#server/db/tables/webhooks.ts'
import { conflict } from '#server/errors.ts'
import { latestSubmittedAttempt } from '#server/features/kyc/service.ts'
import { lockMember, saveMember } from '#server/features/users/service.ts'
import { nextPause } from './schedule.ts'

/** A try is over within its time-out; one that holds its case for longer has died with its server. */
const lease = sql`clock_timestamp() + interval '30 seconds'`

/** A case that one try holds; `tries` tells it from any later try of the same sending. */
export interface Held {
  id: string
  memberId: string
  attemptNumber: number
  webhookId: string
  tries: number
  /** Automatic retries of the sending, this one included where it `isRetry`. */
  retries: number
  isRetry: boolean
}
const heldColumns = {
  id: kycDeliveries.id,
  memberId: kycDeliveries.memberId,
  attemptNumber: kycDeliveries.attemptNumber,
  webhookId: kycDeliveries.webhookId,
  tries: kycDeliveries.tries,
  retries: kycDeliveries.retries,
}

const queued = (memberId: string, attemptNumber: number) => ({
  memberId,
  attemptNumber,
  state: 'waiting' as const,
  nextTryAt: sql`now()`,
})

/** Hands a submitted attempt to the queue, in the transaction that submits it. One that is there already stays as it is. */
export async function queueCase(tx: Tx, memberId: string, attemptNumber: number): Promise<void> {
  await tx.insert(kycDeliveries).values(queued(memberId, attemptNumber)).onConflictDoNothing()
  await announce(tx, 'deliveries')
}

/**
 * Takes a case for one try. Throws conflict while another try holds it. `submit`: a case that was delivered or given up is
 * sent anew, under an id of its own; else the sending goes on. Only tries of the `queue` count among its five retries.
 */
export async function holdCase(
  tx: Tx,
  memberId: string,
  attemptNumber: number,
  by: 'submit' | 'retry' | 'queue',
): Promise<Held> {
  await queueCase(tx, memberId, attemptNumber)
  const [found] = await tx
    .select({
      ...heldColumns,
      state: kycDeliveries.state,
      isUnderWay: sql<boolean>`state = 'sending' AND lease_until > clock_timestamp()`,
    })
    .from(kycDeliveries)
    .where(and(eq(kycDeliveries.memberId, memberId), eq(kycDeliveries.attemptNumber, attemptNumber)))
    .for('update')
  const { state, isUnderWay, id, tries, retries } = found!
  if (isUnderWay) throw conflict('An attempt to send this case is under way; wait until it has ended')
  const isAnew = by === 'submit' && (state === 'delivered' || state === 'failed')
  const isRetry = by === 'queue' && tries > 0
  const [held] = await tx
    .update(kycDeliveries)
    .set({
      state: 'sending',
      leaseUntil: lease,
      nextTryAt: null,
      tries: isAnew ? 1 : tries + 1,
      retries: isAnew ? 0 : isRetry ? retries + 1 : retries,
      ...(isAnew && { webhookId: sql`gen_random_uuid()` }),
    })
    .where(eq(kycDeliveries.id, id))
    .returning(heldColumns)
  return { ...held!, isRetry }
}

/** Takes the case that has been due for longest and that nobody else holds: waiting, or left behind by a server that died. */
export const holdDue = (ctx: Ctx): Promise<Held | undefined> =>
  inTransaction(ctx, async (tx) => {
    const [held] = await tx
      .update(kycDeliveries)
      .set({
        state: 'sending',
        leaseUntil: lease,
        nextTryAt: null,
        tries: sql`${kycDeliveries.tries} + 1`,
        retries: sql`${kycDeliveries.retries} + CASE WHEN ${kycDeliveries.tries} > 0 THEN 1 ELSE 0 END`,
      })
      .where(
        sql`${kycDeliveries.id} = (
          SELECT id FROM kyc_deliveries
          WHERE (state = 'waiting' AND next_try_at <= now()) OR (state = 'sending' AND lease_until <= now())
          ORDER BY coalesce(next_try_at, lease_until), id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      )
      .returning(heldColumns)
    return held && { ...held, isRetry: held.tries > 1 }
  })

const ofSending = ({ id, webhookId }: Held) => and(eq(kycDeliveries.id, id), eq(kycDeliveries.webhookId, webhookId))
const stillHeld = (held: Held) =>
  and(ofSending(held), eq(kycDeliveries.tries, held.tries), eq(kycDeliveries.state, 'sending'))

/** Gives back a case whose try was given up before its end; the queue tries at once. */
export async function releaseCase({ database: { db } }: Ctx, held: Held): Promise<void> {
  await db
    .update(kycDeliveries)
    .set({
      state: 'waiting',
      leaseUntil: null,
      nextTryAt: sql`now()`,
      tries: held.tries - 1,
      retries: held.isRetry ? held.retries - 1 : held.retries,
    })
    .where(stillHeld(held))
}

/**
 * Writes down how a try went: its log row, what becomes of the case, and of a member that was only `submitted` until the
 * provider took it (PRODUCT section 4). Answers the log row's id. `at`: when it was; now by the database's clock.
 */
export async function recordTry(
  tx: Tx,
  held: Held,
  outcome: TryOutcome,
  startedBy: string,
  at?: string,
): Promise<string> {
  const { memberId, attemptNumber } = held
  // The member first, as every submission does, so that no two wait for each other.
  const member = outcome.success ? await lockMember(tx, memberId) : undefined
  // A try that came back after its time has a log row, but the case is another's by now. What arrived has arrived all
  // the same, unless the case was sent anew since.
  const concerned = outcome.success ? ofSending(held) : stillHeld(held)
  const [delivery] = await tx.select({ id: kycDeliveries.id }).from(kycDeliveries).where(concerned).for('update')
  const clock = await tx.execute<{ now: string }>(sql`SELECT clock_timestamp() AS now`)
  const ended = at ?? toInstant(clock.rows[0]!.now)
  const { retryAfter: _, ...told } = outcome
  const ofCase = and(eq(kycWebhookLogs.memberId, memberId), eq(kycWebhookLogs.attemptNumber, attemptNumber))
  const tryNumber = (await tx.$count(kycWebhookLogs, ofCase)) + 1
  const [log] = await tx
    .insert(kycWebhookLogs)
    .values({ ...told, memberId, attemptNumber, tryNumber, startedBy, createdAt: ended })
    .returning({ id: kycWebhookLogs.id })
  if (delivery)
    await tx
      .update(kycDeliveries)
      .set((await isClosed(tx, held)) ? closed(outcome) : after(held.retries, outcome, ended))
      .where(concerned)
  await announce(tx, 'kycWebhooks', 'deliveries')
  if (member?.kycStatus === 'submitted' && attemptNumber === (await latestSubmittedAttempt(tx, memberId))) {
    await saveMember(tx, member, { kycStatus: 'under_review' })
    await announce(tx, 'users', 'kyc', 'analytics')
  }
  return log!.id
}

/** Whether the attempt was decided or superseded: the provider has nothing more to say of it, so nothing is tried again. */
async function isClosed(tx: Tx, { memberId, attemptNumber }: Held): Promise<boolean> {
  const { rows } = await tx.execute<{ isClosed: boolean }>(sql`SELECT EXISTS (SELECT FROM kyc_submissions
    WHERE member_id = ${memberId} AND attempt_number = ${attemptNumber} AND result <> 'under_review') AS "isClosed"`)
  return rows[0]!.isClosed
}

const closed = ({ success }: TryOutcome) => ({
  state: success ? ('delivered' as const) : ('failed' as const),
  leaseUntil: null,
  nextTryAt: null,
  lastFailedAt: null,
})

function after(retries: number, outcome: TryOutcome, ended: string) {
  if (outcome.success) return closed(outcome)
  const pause = nextPause(retries, outcome)
  return {
    state: pause === null ? ('failed' as const) : ('waiting' as const),
    leaseUntil: null,
    nextTryAt: pause === null ? null : new Date(Date.parse(ended) + pause * 1000).toISOString(),
    lastFailedAt: ended,
  }
}
