import { and, eq, sql } from 'drizzle-orm'
import { canDecideKyc } from '#contract/kyc-moves.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { AppError, conflict, inWords } from '#server/lib/errors.ts'
import { applyDecision, latestSubmittedAttempt, noteProviderWord, readDecision } from '#server/features/kyc/service.ts'
import { lockMember, type Member } from '#server/features/users/service.ts'
import type { ProviderWord } from './message.ts'

/** What became of a word, and why. */
export interface Settled {
  state: 'applied' | 'recorded'
  note: string
  attemptNumber: number
  caseId: string
}

interface Said {
  word: ProviderWord
  /** The result's own time, else when its message was first seen. */
  saidAt: string
  /** When it is taken, where that is not now. */
  at: string | undefined
}

/**
 * What the provider said of a case, under its member's lock. It counts for the latest submitted attempt while that waits;
 * of any other it is recorded and changes nothing (product 11.2). Throws, with nothing written, not_found for a case
 * that is not there, and case_mismatch for one of another id.
 */
export async function applyWord(tx: Tx, ctx: Ctx, { word, saidAt, at }: Said): Promise<Settled> {
  const member = await lockMember(tx, word.userId).catch((error: unknown) => {
    throw error instanceof AppError ? new AppError('not_found', `userId: there is no member ${word.userId}`) : error
  })
  const found = await findCase(tx, word, saidAt)
  const { attemptNumber, caseId } = found
  const settled = (state: Settled['state'], note: string): Settled => ({ state, note, attemptNumber, caseId })
  const standing = await whyItStands(tx, member, found, saidAt)
  if (standing) return settled('recorded', standing)
  const decided = word.autoProcessed && word.result !== 'under_review' && word.result
  const said = {
    providerResult: word.result,
    providerReason: word.reason && word.isFinal ? `${word.reason} (final)` : word.reason,
    providerResultAt: saidAt,
    kycScore: word.kycScore ?? null,
  }
  if (decided) {
    const verdict = readDecision(decided, { rejectionReason: word.reason, adminNotes: word.notes })
    await applyDecision(tx, ctx, member.id, { verdict, attempt: attemptNumber, word: said, at })
    return settled('applied', `The KYC provider has ${word.result} the member`)
  }
  await noteProviderWord(tx, ctx, member.id, attemptNumber, said)
  return settled('applied', `The KYC provider says ${word.result.replace('_', ' ')}; an operator decides`)
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

/** By how much the provider's clock may be behind ours. */
const clockDrift = sql`interval '5 minutes'`

/**
 * The attempt that is meant: the one named, or else the latest that had been submitted when the provider spoke. The clocks
 * may differ by minutes: where that one is decided, and not by a later word, the provider speaks of the next; an answer
 * from long before the first is of something else.
 */
async function findCase(tx: Tx, { userId, attemptNumber, caseId }: ProviderWord, saidAt: string): Promise<Case> {
  const meant =
    attemptNumber === null
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
      : attemptNumber
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
  if (!found) {
    const what =
      attemptNumber === null
        ? 'this member had submitted nothing by then'
        : `attempt ${attemptNumber} was not submitted`
    throw new AppError('not_found', `attemptNumber: ${what}`)
  }
  if (caseId !== null && caseId !== found.caseId)
    throw conflict('case_mismatch', `caseId: attempt ${found.attemptNumber} of this member is another case`)
  return found
}

/** Why nothing is changed: a later attempt, a decision or a later word stands. Undefined while the case waits. */
async function whyItStands(tx: Tx, member: Member, found: Case, saidAt: string): Promise<string | undefined> {
  const { attemptNumber, result, verificationStatus, decidedBy, decidedAt, providerResultAt } = found
  const latest = await latestSubmittedAttempt(tx, member.id)
  if (latest !== null && latest > attemptNumber)
    return `Attempt ${latest} has been submitted since; nothing was changed`
  if (result !== 'under_review' || verificationStatus !== 'pending' || !canDecideKyc(member.kycStatus)) {
    const by = [decidedBy && `by ${decidedBy}`, decidedAt && `on ${inWords(decidedAt)}`].filter(Boolean).join(' ')
    return `The case was decided${by && ` ${by}`}; nothing was changed`
  }
  if (providerResultAt !== null && saidAt < providerResultAt)
    return 'The provider has said something later of this case; nothing was changed'
  return undefined
}
