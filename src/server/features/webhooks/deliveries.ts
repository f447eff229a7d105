import { and, eq, sql } from 'drizzle-orm'
import type { TryOutcome } from '#server/adapters/kyc-provider.ts'
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
}
const heldColumns = {
  id: kycDeliveries.id,
  memberId: kycDeliveries.memberId,
  attemptNumber: kycDeliveries.attemptNumber,
  webhookId: kycDeliveries.webhookId,
  tries: kycDeliveries.tries,
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
}

/**
 * Takes a case for one try by hand. Throws conflict while another try holds it. `isNew`: a case that was delivered or
 * given up is sent anew, under an id of its own; else the sending goes on.
 */
export async function holdCase(tx: Tx, memberId: string, attemptNumber: number, isNew: boolean): Promise<Held> {
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
  const { state, isUnderWay, id, tries } = found!
  if (isUnderWay) throw conflict('An attempt to send this case is under way; wait until it has ended')
  const isAnew = isNew && (state === 'delivered' || state === 'failed')
  const [held] = await tx
    .update(kycDeliveries)
    .set({
      state: 'sending',
      leaseUntil: lease,
      nextTryAt: null,
      tries: isAnew ? 1 : tries + 1,
      ...(isAnew && { webhookId: sql`gen_random_uuid()` }),
    })
    .where(eq(kycDeliveries.id, id))
    .returning(heldColumns)
  return held!
}

/** Takes the case that has been due for longest and that nobody else holds: waiting, or left behind by a server that died. */
export const holdDue = (ctx: Ctx): Promise<Held | undefined> =>
  inTransaction(ctx, async (tx) => {
    const [held] = await tx
      .update(kycDeliveries)
      .set({ state: 'sending', leaseUntil: lease, nextTryAt: null, tries: sql`${kycDeliveries.tries} + 1` })
      .where(
        sql`${kycDeliveries.id} = (
          SELECT id FROM kyc_deliveries
          WHERE (state = 'waiting' AND next_try_at <= now()) OR (state = 'sending' AND lease_until <= now())
          ORDER BY coalesce(next_try_at, lease_until), id LIMIT 1 FOR UPDATE SKIP LOCKED)`,
      )
      .returning(heldColumns)
    return held
  })

const stillHeld = ({ id, webhookId, tries }: Held) =>
  and(
    eq(kycDeliveries.id, id),
    eq(kycDeliveries.webhookId, webhookId),
    eq(kycDeliveries.tries, tries),
    eq(kycDeliveries.state, 'sending'),
  )

/** Gives back a case whose try was given up before its end; the queue tries at once. */
export async function releaseCase({ database: { db } }: Ctx, held: Held): Promise<void> {
  await db
    .update(kycDeliveries)
    .set({ state: 'waiting', leaseUntil: null, nextTryAt: sql`now()`, tries: held.tries - 1 })
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
  const [delivery] = await tx.select(heldColumns).from(kycDeliveries).where(stillHeld(held)).for('update')
  const clock = await tx.execute<{ now: string }>(sql`SELECT clock_timestamp() AS now`)
  const ended = at ?? toInstant(clock.rows[0]!.now)
  const { retryAfter: _, ...told } = outcome
  const ofCase = and(eq(kycWebhookLogs.memberId, memberId), eq(kycWebhookLogs.attemptNumber, attemptNumber))
  const tryNumber = (await tx.$count(kycWebhookLogs, ofCase)) + 1
  const [log] = await tx
    .insert(kycWebhookLogs)
    .values({ ...told, memberId, attemptNumber, tryNumber, startedBy, createdAt: ended })
    .returning({ id: kycWebhookLogs.id })
  // A try that came back after its time has a log row, but the case is another's by now.
  if (delivery)
    await tx
      .update(kycDeliveries)
      .set((await isClosed(tx, held)) ? closed(outcome) : after(held.tries, outcome, ended))
      .where(stillHeld(held))
  await announce(tx, 'kycWebhooks')
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

function after(tries: number, outcome: TryOutcome, ended: string) {
  if (outcome.success) return { state: 'delivered' as const, leaseUntil: null, nextTryAt: null, lastFailedAt: null }
  const pause = nextPause(tries, outcome)
  return {
    state: pause === null ? ('failed' as const) : ('waiting' as const),
    leaseUntil: null,
    nextTryAt: pause === null ? null : new Date(Date.parse(ended) + pause * 1000).toISOString(),
    lastFailedAt: ended,
  }
}
