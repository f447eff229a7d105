import { and, eq, sql } from 'drizzle-orm'
import { canDecideKyc } from '#contract/kyc-moves.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { AppError } from '#server/lib/errors.ts'
import {
  applyDecision,
  latestSubmittedAttempt,
  recordProviderResult,
  readDecision,
} from '#server/features/kyc/service.ts'
import { lockMember, type StoredMember } from '#server/features/members/service.ts'
import { type CaseRef, type Outcome, refuse, type Refusal, type Obstacle } from './outcome.ts'
import type { CaseResult, Subject } from './providers/provider.ts'

interface ResultInput {
  result: CaseResult
  /** The time of the result, otherwise the time at which its message first arrived. */
  saidAt: string
}

/**
 * Applies a result to its case, while the member is locked. It takes effect on the latest submitted attempt while that
 * attempt waits. For other attempts it is recorded and changes nothing (product 11.2). A refusal writes nothing.
 */
export async function applyResult(tx: Tx, ctx: Ctx, { result: given, saidAt }: ResultInput): Promise<Outcome> {
  const subject = await resolveSubject(tx, given.subject)
  const member = await findMember(tx, subject.userId)
  if (!member) return refuse({ because: 'unknown member', userId: subject.userId })
  const found = await findCase(tx, subject, saidAt)
  if ('because' in found) return refuse(found)
  const { attemptNumber, caseId } = found
  const of: CaseRef = { memberId: member.id, attemptNumber, caseId }
  const standing = await findObstacle(tx, member, found, saidAt)
  if (standing) return { state: 'recorded', standing, of }
  const { result, reason } = given
  const decided = given.autoProcessed && result !== 'under_review' && result
  const providerResult = {
    providerResult: result,
    providerReason: reason && given.isFinal ? `${reason} (final)` : reason,
    providerResultAt: saidAt,
    kycScore: given.kycScore ?? null,
  }
  if (decided) {
    const verdict = readDecision(decided, { rejectionReason: reason, adminNotes: given.notes })
    const { isFinal } = given
    await applyDecision(tx, ctx, member.id, { verdict, attempt: attemptNumber, result: providerResult, isFinal })
  } else {
    await recordProviderResult(tx, ctx, member.id, attemptNumber, providerResult)
  }
  return { state: 'applied', isDecided: Boolean(decided), result, of }
}

/** Reads and locks the member's row. */
const findMember = (tx: Tx, id: string): Promise<StoredMember | undefined> =>
  lockMember(tx, id).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined
    throw error
  })

type ResolvedSubject = Exclude<Subject, { by: 'case or member' }>

/** Finds a case by its id. Any other id is taken as a member's id. */
async function resolveSubject(tx: Tx, subject: Subject): Promise<ResolvedSubject> {
  if (subject.by !== 'case or member') return subject
  const { memberId, attemptNumber, caseId } = kycSubmissions
  const [found] = await tx
    .select({ userId: memberId, attemptNumber, caseId })
    .from(kycSubmissions)
    .where(eq(caseId, subject.id))
  return found ? { by: 'attempt', ...found } : { by: 'member', userId: subject.id }
}

interface Case {
  attemptNumber: number
  caseId: string
  result: string
  verificationStatus: string
  providerResultAt: string | null
  decidedBy: string | null
  decidedAt: string | null
}

/** How far the provider's clock may lag behind ours. */
const clockDrift = sql`interval '5 minutes'`

/**
 * Finds the attempt of a result: the named one, otherwise the latest that was submitted at the time of the result.
 * Clocks may differ by minutes: if that attempt is already decided, and not by a later result, the next attempt is
 * meant. A result from long before the first attempt matches none.
 */
async function findCase(tx: Tx, subject: ResolvedSubject, saidAt: string): Promise<Case | Refusal> {
  const { userId } = subject
  const meant =
    subject.by === 'member'
      ? sql`(
          WITH known AS (
            SELECT attempt_number AS number,
              s.result IN ('approved', 'rejected') AND coalesce(v.provider_result_at < ${saidAt}, true) AS is_over,
              coalesce(max(attempt_number) FILTER (WHERE s.submitted_at <= ${saidAt}) OVER (),
                min(attempt_number) OVER ()) AS latest
            FROM kyc_submissions AS s JOIN kyc_verifications AS v USING (member_id, attempt_number)
            WHERE member_id = ${userId} AND s.submitted_at <= ${saidAt}::timestamptz + ${clockDrift}
          )
          SELECT coalesce(min(number) FILTER (WHERE number >= latest AND NOT is_over), min(latest)) FROM known)`
      : subject.attemptNumber
  const [found] = await tx
    .select({
      attemptNumber: kycSubmissions.attemptNumber,
      caseId: kycSubmissions.caseId,
      result: kycSubmissions.result,
      verificationStatus: kycVerifications.status,
      providerResultAt: kycVerifications.providerResultAt,
      decidedBy: kycVerifications.decidedBy,
      decidedAt: kycVerifications.decidedAt,
    })
    .from(kycSubmissions)
    .innerJoin(
      kycVerifications,
      and(
        eq(kycVerifications.memberId, kycSubmissions.memberId),
        eq(kycVerifications.attemptNumber, kycSubmissions.attemptNumber),
      ),
    )
    .where(and(eq(kycSubmissions.memberId, userId), eq(kycSubmissions.attemptNumber, meant)))
  if (!found)
    return subject.by === 'member'
      ? { because: 'nothing submitted' }
      : { because: 'unknown attempt', attemptNumber: subject.attemptNumber }
  if (subject.by === 'attempt' && subject.caseId !== found.caseId)
    return { because: 'other case', attemptNumber: found.attemptNumber }
  return found
}

/** Why the result has no effect. Undefined while the case waits. */
async function findObstacle(tx: Tx, member: StoredMember, found: Case, saidAt: string): Promise<Obstacle | undefined> {
  const { attemptNumber, result, verificationStatus, decidedBy, decidedAt, providerResultAt } = found
  const latest = await latestSubmittedAttempt(tx, member.id)
  if (latest !== null && latest > attemptNumber) return { because: 'later attempt', attemptNumber: latest }
  if (result !== 'under_review' || verificationStatus !== 'pending' || !canDecideKyc(member.kycStatus))
    return { because: 'decision', decidedBy, decidedAt }
  if (providerResultAt !== null && saidAt < providerResultAt) return { because: 'later result' }
  return undefined
}
