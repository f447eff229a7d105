import { eq, sql } from 'drizzle-orm'
import { canDecideKyc, canMoveKyc, type KycAction, kycDecisions } from '#contract/kyc-moves.ts'
import { listMissingParts } from '#contract/kyc-parts.ts'
import type { KycDecision, Member } from '#contract/schemas/members.ts'
import { announce } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycSubmissions } from '#server/db/tables/kyc.ts'
import { members } from '#server/db/tables/members.ts'
import { conflict } from '#server/lib/errors.ts'
import { lockMember, type StoredMember, requireFreshMember, memberColumns } from '#server/features/members/service.ts'
import { lockKycMembers } from './attempt-rows.ts'
import { emptyAttempt, type KycMember, type ProviderResult, readSentParts } from './attempt-state.ts'
import { decideMember, readDecision, memberStateOf, type Verdict } from './decision.ts'
import { transactionTime, writeKyc } from './write-kyc.ts'

/** Throws member_approved, with by whom and when, if the member is approved. */
export function requireDecidable({ kycStatus, kycDecidedBy, kycDecidedAt }: StoredMember): void {
  if (!canDecideKyc(kycStatus))
    throw conflict('member_approved', "This user's KYC is already approved", {
      status: 'approved',
      by: kycDecidedBy,
      at: kycDecidedAt,
    })
}

/**
 * Approves, rejects or resets a member's KYC from the member's page (product 7.1). Throws not_found, member_approved,
 * stale if `ifMatch` is not the member's version, and invalid for a rejection without a reason.
 */
export async function decideMemberKyc(
  ctx: Ctx,
  memberId: string,
  { action, ...given }: KycDecision & { action: KycAction },
  ifMatch: number | undefined,
): Promise<Member> {
  const verdict = readDecision(kycDecisions[action], given)
  return inTransaction(ctx, async (tx) => {
    const member = await lockMember(tx, memberId)
    requireDecidable(member)
    requireFreshMember(member, ifMatch)
    return applyDecision(tx, ctx, memberId, { verdict, attempt: await latestSubmittedAttempt(tx, memberId) })
  })
}

/** The member's latest submitted attempt. Null if there is none. */
export async function latestSubmittedAttempt(tx: Tx, memberId: string): Promise<number | null> {
  const [row] = await tx
    .select({ attempt: sql<number | null>`max(${kycSubmissions.attemptNumber})` })
    .from(kycSubmissions)
    .where(eq(kycSubmissions.memberId, memberId))
  return row?.attempt ?? null
}

interface DecisionRequest {
  verdict: Verdict
  /** The member's latest submitted attempt. */
  attempt: number | null
  /** The provider's result, if the provider decided. */
  result?: ProviderResult
  isFinal?: boolean
}

/** Applies a decision of an operator or the provider to a locked member and its latest submitted attempt. */
export async function applyDecision(tx: Tx, ctx: Ctx, memberId: string, given: DecisionRequest): Promise<Member> {
  const { verdict, attempt, result, isFinal = false } = given
  const member = await readKycMember(tx, memberId)
  const before = memberStateOf(member)
  const sent = readSentParts(member.attempts.get(attempt ?? 0) ?? emptyAttempt(0))
  const missing = verdict.to === 'approved' ? listMissingParts(sent) : []
  if (attempt !== null && result) setProviderResult(member, attempt, result, 0)
  const decision = {
    ...verdict,
    decidedBy: ctx.actor.name,
    decidedAt: ctx.at ?? (await transactionTime(tx)),
    autoProcessed: result !== undefined,
    isFinal,
  }
  decideMember(member, attempt, decision)
  member.version++
  const decided = { member, attempt, decision, before, missing, isImported: false }
  await writeKyc(tx, ctx, { members: [member], attempts: listAttempt(member, attempt), decisions: [decided] })
  await announce(tx, 'users', 'analytics', 'kyc')
  const [user] = await tx.select(memberColumns).from(members).where(eq(members.id, memberId))
  return user!
}

/**
 * Records the provider's result for an attempt that an operator decides. The result proves that the provider has the
 * case, whatever the outcome of the try that sent it.
 */
export async function recordProviderResult(
  tx: Tx,
  ctx: Ctx,
  memberId: string,
  attempt: number,
  result: ProviderResult,
) {
  const member = await readKycMember(tx, memberId)
  setProviderResult(member, attempt, result, 1)
  const attempts = listAttempt(member, attempt)
  if (!canMoveKyc('under_review', member.facts.kycStatus)) {
    await writeKyc(tx, ctx, { members: [], attempts, decisions: [] })
  } else {
    member.facts = { ...member.facts, kycStatus: 'under_review' }
    member.version++
    await writeKyc(tx, ctx, { members: [member], attempts, decisions: [] })
    await announce(tx, 'users', 'analytics')
  }
  await announce(tx, 'kyc')
}

const readKycMember = async (tx: Tx, id: string) => (await lockKycMembers(tx, [id])).get(id)!

const listAttempt = ({ id, attempts }: KycMember, number: number | null) => {
  const attempt = number === null ? undefined : attempts.get(number)
  return attempt ? [{ memberId: id, attempt }] : []
}

/** `changes` is 0 if a decision comes with the result, because the decision then raises the version. */
function setProviderResult(member: KycMember, number: number, result: ProviderResult, changes: 0 | 1): void {
  const attempt = member.attempts.get(number)
  if (!attempt?.verification) return
  const verification = { ...attempt.verification, result, version: attempt.verification.version + changes }
  member.attempts.set(number, { ...attempt, verification })
}
