import { and, eq, sql } from 'drizzle-orm'
import {
  canDecideKyc,
  type KycAction,
  type stepStatuses,
  type submissionResults,
  type verificationStatuses,
} from '#contract/kyc.ts'
import { type KycDecision, rejectionReasonRequired, type User } from '#contract/users.ts'
import { announce, audit, tellPlatform } from '#server/audit.ts'
import { type Ctx, inTransaction } from '#server/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { AppError, conflict } from '#server/errors.ts'
import { lockMember, type Member, requireFreshMember, saveMember } from '#server/features/users/service.ts'
import { releaseClosedCases } from './attempt-rows.ts'
import { decisionEntry } from './decision-entry.ts'
import { nextMembershipId } from './membership.ts'

type OneOf<List extends readonly string[]> = List[number]

/** What each action makes of the member, of its latest submitted attempt, and what is told of it. */
const effects = {
  approve: {
    status: 'approved',
    result: 'approved',
    step: 'approved',
    verification: 'approved',
    verb: 'approve_kyc',
    event: 'kyc.approved',
  },
  reject: {
    status: 'rejected',
    result: 'rejected',
    step: 'rejected',
    verification: 'rejected',
    verb: 'reject_kyc',
    event: 'kyc.rejected',
  },
  reset: {
    status: 'pending',
    result: 'pending',
    step: 'reset',
    verification: 'reset',
    verb: 'reset_kyc',
    event: 'kyc.reset',
  },
} as const satisfies Record<
  KycAction,
  {
    status: Member['kycStatus']
    result: OneOf<typeof submissionResults>
    step: OneOf<typeof stepStatuses>
    verification: OneOf<typeof verificationStatuses>
    verb: string
    event: string
  }
>

interface Decision {
  action: KycAction
  attempt: number | null
  reason: string | null
  adminNotes: string | null
  /** Whether the KYC provider itself has decided, not an operator. */
  autoProcessed?: boolean
  /** When it was; now by the database's clock. */
  at?: string | undefined
}

/** What was decided, as it is kept: blanks around it gone. Throws invalid for a rejection without a reason. */
export function readDecision({ action, rejectionReason, adminNotes }: KycDecision & { action: KycAction }) {
  const reason = action === 'reject' ? rejectionReason?.trim() || null : null
  if (action === 'reject' && !reason) throw new AppError('invalid', rejectionReasonRequired)
  return { action, reason, adminNotes: adminNotes?.trim() || null }
}

/** Throws conflict from approved, naming who approved and when. */
export function requireDecidable({ kycStatus, kycDecidedBy, kycDecidedAt }: Member): void {
  if (!canDecideKyc(kycStatus)) throw conflict("This user's KYC is already approved", kycDecidedBy, kycDecidedAt)
}

/**
 * Approves, rejects or resets a member's KYC from the member's own page (SPEC section 4, PRODUCT 3.11, 3.12).
 * Throws not_found, conflict from approved, stale when `ifMatch` is not the member's version, invalid for a rejection
 * without a reason.
 */
export async function decideMemberKyc(
  ctx: Ctx,
  memberId: string,
  given: KycDecision & { action: KycAction },
  ifMatch: number | undefined,
): Promise<User> {
  const decision = readDecision(given)
  return inTransaction(ctx, async (tx) => {
    const member = await lockMember(tx, memberId)
    requireDecidable(member)
    requireFreshMember(member, ifMatch)
    return applyDecision(tx, ctx, member, { ...decision, attempt: await latestSubmittedAttempt(tx, memberId) })
  })
}

/** A decision on a locked member and its latest submitted attempt: one rule for every screen that decides. */
export async function applyDecision(tx: Tx, ctx: Ctx, member: Member, decision: Decision): Promise<User> {
  const user = await decideMember(tx, member, decision, ctx.actor.name)
  await decideAttempt(tx, member.id, decision, ctx.actor.name)
  await record(tx, ctx, member, user, decision)
  return user
}

/** The member's latest submitted attempt; null when none ever was. */
export async function latestSubmittedAttempt(tx: Tx, memberId: string): Promise<number | null> {
  const [row] = await tx
    .select({ attempt: sql<number | null>`max(${kycSubmissions.attemptNumber})` })
    .from(kycSubmissions)
    .where(eq(kycSubmissions.memberId, memberId))
  return row?.attempt ?? null
}

/** A membership id is given once, at the first approval, and stays (PRODUCT 3.11). */
async function decideMember(tx: Tx, member: Member, decision: Decision, by: string) {
  const { action, attempt, reason, adminNotes, at } = decision
  const isFirstApproval = action === 'approve' && member.membershipId === null
  return saveMember(tx, member, {
    kycStatus: effects[action].status,
    kycRejectionReason: reason,
    kycAdminNotes: adminNotes,
    kycDecidedAttempt: attempt,
    kycDecidedBy: by,
    kycDecidedAt: at ?? sql`now()`,
    ...(isFirstApproval && { membershipId: await nextMembershipId(tx) }),
    // The documents of the earlier attempt stay in its step history.
    ...(action === 'reset' && {
      kycCurrentStep: 1,
      kycDocumentType: null,
      kycFrontDocument: null,
      kycBackDocument: null,
      kycSelfie: null,
    }),
  })
}

/** The attempt follows the member. A reset closes a verification that nobody has judged; a judged one keeps its judgement. */
async function decideAttempt(
  tx: Tx,
  memberId: string,
  { action, attempt, reason, adminNotes, autoProcessed = false, at }: Decision,
  by: string,
): Promise<void> {
  if (attempt === null) return
  const { result, step, verification } = effects[action]
  for (const table of [kycStep2, kycStep3, kycStep4])
    await tx
      .update(table)
      .set({ status: step })
      .where(and(eq(table.memberId, memberId), eq(table.attemptNumber, attempt)))
  await tx
    .update(kycSubmissions)
    .set({ result, autoProcessed, version: sql`${kycSubmissions.version} + 1` })
    .where(and(eq(kycSubmissions.memberId, memberId), eq(kycSubmissions.attemptNumber, attempt)))
  await tx
    .update(kycVerifications)
    .set({
      status: verification,
      rejectionReason: reason,
      adminNotes,
      decidedBy: by,
      decidedAt: at ?? sql`now()`,
      version: sql`${kycVerifications.version} + 1`,
    })
    .where(
      and(
        eq(kycVerifications.memberId, memberId),
        eq(kycVerifications.attemptNumber, attempt),
        action === 'reset' ? eq(kycVerifications.status, 'pending') : undefined,
      ),
    )
  await releaseClosedCases(tx, [memberId])
}

/** Audit row, event for the platform and word to open consoles, in the decision's own transaction. */
async function record(
  tx: Tx,
  ctx: Ctx,
  before: Member,
  after: User,
  { action, attempt, reason, adminNotes, at }: Decision,
) {
  const { verb, event } = effects[action]
  const { id, membershipId, kycStatus } = after
  await audit(tx, ctx, { ...decisionEntry(verb, id, { attempt, reason, adminNotes, before, after }), at })
  await tellPlatform(tx, {
    at,
    type: event,
    entity: { type: 'member', id },
    payload: { memberId: id, membershipId, attemptNumber: attempt, kycStatus, ...(reason !== null && { reason }) },
  })
  await announce(tx, 'users', 'analytics', 'kyc')
}
