import { and, eq, gt, sql } from 'drizzle-orm'
import { buildCaseBody, type KycCase, personalFields } from '#server/adapters/kyc-provider.ts'
import { announce } from '#server/core/audit.ts'
import type { Ctx } from '#server/core/context.ts'
import { enqueueMessages } from '#server/core/enqueue.ts'
import { isSigned } from '#server/core/message-mac.ts'
import { textArray } from '#server/db/parameters.ts'
import type { Tx } from '#server/db/client.ts'
import { kycStep2, kycStep3, kycSubmissions } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/members.ts'
import { conflict } from '#server/lib/errors.ts'
import { lockMember, saveMember } from '#server/features/members/service.ts'
import { hour, minute } from '#server/lib/pauses.ts'
import type { Channel, FinishedTry, LeasedMessage, MessageContent, SendMessage } from './channel.ts'
import { forgedOutcome } from './sign-stored.ts'
import { closeMessages, leaseNow } from './queue.ts'

/** Seconds before each automatic retry; after the last the queue gives up (product 11.1). */
export const retryPauses = [30, 2 * minute, 10 * minute, hour, 4 * hour] as const

const maskedFields = '[redacted]'

/** Submitted KYC attempts to the KYC provider, in any order (product 11.1). */
export const kycCases: Channel = {
  name: 'kyc',
  everySeconds: 5,
  atOnce: 4,
  pauses: retryPauses,
  longestPause: 4 * hour,
  pausesWhenGone: false,
  renewsId: true,
  // Decided or superseded: the provider has nothing more to say of it.
  isClosed: (message) => `NOT EXISTS (SELECT FROM kyc_submissions AS s WHERE s.member_id = ${message}.entity_id
    AND s.attempt_number = ${message}.attempt_number AND s.result = 'under_review')`,
  closedState: 'failed',
  lists: ['kycWebhooks', 'messages'],
  async connect(ctx) {
    const to = await ctx.kycProvider.find()
    if (!to) return []
    const requestedBy = ctx.actor.kind === 'admin' ? 'operator' : 'queue'
    const send: SendMessage = async (message, signal) => {
      if (!isSigned(ctx, message)) return forgedOutcome
      const sent = await readCase(ctx, message)
      if (!sent) throw new Error(`the KYC submission of message ${message.id} is gone`)
      return ctx.kycProvider.send(to, message.messageId, { ...sent, requestedBy }, signal)
    }
    return [{ endpointId: null, send }]
  },
  // What the provider would be sent now: the member's own page shows who it is to whom it concerns.
  async showBody(ctx, message) {
    const sent = await readCase(ctx, message)
    if (!sent) return null
    const hidden = Object.fromEntries(
      personalFields.flatMap((name) => (sent[name] === null ? [] : [[name, maskedFields]])),
    )
    return buildCaseBody({ ...sent, ...hidden })
  },
  // The members first, as every submission does, so that no two wait for each other.
  async lock(tx, ended) {
    for (const id of [...new Set(filterDelivered(ended).map(({ message }) => message.entityId))].toSorted())
      await lockMember(tx, id)
  },
  // A member is only `submitted` until the provider has taken the case.
  async settle(tx, _ctx, ended) {
    for (const { message } of filterDelivered(ended)) {
      const member = await lockMember(tx, message.entityId)
      if (member.kycStatus !== 'submitted') continue
      const { memberId, attemptNumber } = kycSubmissions
      const isLater = and(eq(memberId, member.id), gt(attemptNumber, message.attemptNumber!))
      if ((await tx.$count(kycSubmissions, isLater)) > 0) continue
      await saveMember(tx, member, { kycStatus: 'under_review' })
      await announce(tx, 'users', 'kyc', 'analytics')
    }
  },
}

const filterDelivered = (ended: readonly FinishedTry[]) => ended.filter(({ outcome }) => outcome.success)

/** Hands a submitted attempt to the queue, in the transaction that submits it. One that is there already stays as it is. */
export const queueCase = (tx: Tx, ctx: Pick<Ctx, 'config'>, memberId: string, attemptNumber: number): Promise<void> =>
  enqueueMessages(tx, ctx, [
    { channel: 'kyc', type: 'kyc.submitted', entityType: 'member', entityId: memberId, attemptNumber },
  ])

/** Gives up the cases of these members that are decided or superseded; the queue sends none of them any more. */
export async function closeCases(tx: Tx, memberIds: Iterable<string>): Promise<void> {
  await closeMessages(tx, kycCases, sql`m.entity_id = ANY(${textArray(memberIds)})`)
}

/**
 * Takes a case for one try. Throws delivery_under_way while another try holds it. `submit`: a case that was delivered or
 * given up is sent again, under an id of its own; else the sending goes on. Only tries of the `queue` count among its retries.
 */
export async function leaseCase(
  tx: Tx,
  ctx: Pick<Ctx, 'config'>,
  memberId: string,
  attemptNumber: number,
  by: 'submit' | 'retry' | 'queue',
): Promise<LeasedMessage> {
  await queueCase(tx, ctx, memberId, attemptNumber)
  const condition = sql`m.channel = 'kyc' AND m.direction = 'out' AND m.entity_id = ${memberId} AND m.attempt_number = ${attemptNumber}`
  const held = await leaseNow(tx, condition, { startsOver: by === 'submit', isRetry: by === 'queue' })
  if (!held) throw conflict('delivery_under_way', 'An attempt to send this case is under way; wait until it has ended')
  return held
}

const attemptCondition = (table: typeof kycStep2 | typeof kycStep3) =>
  and(eq(table.memberId, kycSubmissions.memberId), eq(table.attemptNumber, kycSubmissions.attemptNumber))

/** Reads the case of a submitted attempt with the member's present data. Undefined if the attempt no longer exists. */
async function readCase(
  { database: { db } }: Ctx,
  { entityId, attemptNumber }: Pick<MessageContent, 'entityId' | 'attemptNumber'>,
): Promise<KycCase | undefined> {
  const [found] = await db
    .select({
      caseId: kycSubmissions.caseId,
      userId: members.id,
      attemptNumber: kycSubmissions.attemptNumber,
      submittedAt: kycSubmissions.submittedAt,
      email: members.email,
      legalFirstName: members.legalFirstName,
      legalLastName: members.legalLastName,
      dateOfBirth: kycStep2.dateOfBirth,
      nationality: kycStep2.nationality,
      countryOfResidence: kycStep2.countryOfResidence,
      documentType: kycStep3.documentType,
    })
    .from(kycSubmissions)
    .innerJoin(members, eq(members.id, kycSubmissions.memberId))
    .leftJoin(kycStep2, attemptCondition(kycStep2))
    .leftJoin(kycStep3, attemptCondition(kycStep3))
    .where(and(eq(kycSubmissions.memberId, entityId), eq(kycSubmissions.attemptNumber, attemptNumber!)))
  return found
}
