import type * as z from 'zod/mini'
import type { DocumentKind } from '#contract/kyc.ts'
import type { ImportLine, KycBody } from '#contract/platform.ts'
import { AppError, conflict, invalidField } from '#server/errors.ts'
import { changed, type Outcome } from '#server/upsert.ts'
import {
  emptyAttempt,
  withStepStatus,
  type Attempt,
  type KycFacts,
  type KycMember,
  type Step,
  type Step2,
  type Step3,
  type Step4,
} from './attempt-state.ts'

export type KycItem = { memberId: string; attempt: number } & z.output<typeof KycBody> &
  Pick<ImportLine<'kyc'>, 'decision'>

export interface Rules {
  now: string
  /** What a member's status becomes by submitting (PRODUCT section 4). */
  statusOnSubmit: 'submitted' | 'under_review'
  /** How many numbers beyond the latest attempt a new one may have; 1: none is left out. */
  mostAhead: number
  newCaseId: () => string
  isDocument: (key: string, memberId: string, kind: DocumentKind) => boolean
}

/** Serves one item: changes `member` in memory, or says why not and leaves it as it was. */
export function applyAttempt(member: KycMember, item: KycItem, rules: Rules): Outcome {
  const before = member.attempts.get(item.attempt) ?? emptyAttempt(item.attempt)
  if (item.attempt > latestOf(member) + rules.mostAhead) return tooFarAhead(member, item.attempt)
  const empty = saysNothing(item) && whyEmptyIsRefused(member, item.attempt)
  if (empty) return empty
  const taken = takeSteps(before, item, rules)
  const submits = item.submit === true && !before.submission
  if (taken !== before || submits || isResubmittedAtAnotherTime(before, item)) {
    const refusal = whyFixed(member, before) ?? wrongDocument(item, rules)
    if (refusal) return refusal
  }
  const submitted = submits ? submit(taken, item, rules) : taken
  const after = item.decision ? decide(member, submitted, item.decision) : submitted
  if (after instanceof AppError) return after
  if (after === before) return restore(member, before, item, rules)
  const isNew = !member.attempts.has(item.attempt)
  if (submits) closeEarlier(member, after)
  member.attempts.set(item.attempt, after)
  member.facts = summarise(member, before, after, rules)
  member.version++
  return isNew ? 'created' : 'updated'
}

const hasSteps = ({ step2, step3, step4 }: KycItem) => Boolean(step2 ?? step3 ?? step4)
const saysNothing = (item: KycItem) => !hasSteps(item) && !item.submit && !item.decision

/** Nothing can be said of an attempt that is over, or that is not there. */
function whyEmptyIsRefused(member: KycMember, attempt: number): AppError | undefined {
  if (attempt < latestOf(member)) return lowerThanLatest(member, attempt)
  if (member.attempts.has(attempt)) return undefined
  return invalidField('attempt', `there is no attempt ${attempt} yet; send a step of it or submit it`)
}

const lowerThanLatest = (member: KycMember, attempt: number) =>
  conflict(`attempt: ${attempt} is lower than the member's latest attempt, ${latestOf(member)}`)

/** Else one call with the highest number there is would leave the member none to go on with. */
function tooFarAhead(member: KycMember, attempt: number) {
  const latest = member.attempts.get(latestOf(member))
  const next = latest && !latest.submission ? latest.attemptNumber : latestOf(member) + 1
  return conflict(`attempt: ${attempt} is too far ahead; the member's next attempt is ${next}`)
}

/** The same steps of a draft again: a reset has taken them off the member's row, so they are put back there. */
function restore(member: KycMember, draft: Attempt, item: KycItem, rules: Rules): Outcome {
  if (!hasSteps(item) || whyFixed(member, draft)) return 'unchanged'
  const facts = changed(member.facts, summarise(member, draft, draft, rules))
  if (facts === member.facts) return 'unchanged'
  member.facts = facts
  member.version++
  return 'updated'
}

const latestOf = (member: KycMember) => Math.max(0, ...member.attempts.keys())

/** The attempt with the steps that the item names; itself when they say nothing new. */
function takeSteps(before: Attempt, item: KycItem, rules: Rules): Attempt {
  const take = <S extends Step>(present: S | null, given: Partial<S> | undefined): S | null => {
    if (!given) return present
    const fresh = { status: 'draft', submittedAt: item.submittedAt ?? rules.now }
    // A step not there yet takes all its fields from the contract's own schema, and the two that every step has.
    if (!present) return { ...fresh, ...given } as S
    const after = changed<S>(present, { ...given, submittedAt: item.submittedAt })
    return after === present || item.submittedAt ? after : { ...after, submittedAt: rules.now }
  }
  const step3 = item.step3 && {
    ...item.step3,
    ...(!before.step3 && { backDocumentPath: item.step3.backDocumentPath ?? null }),
  }
  return changed(before, {
    step2: take<Step2>(before.step2, item.step2),
    step3: take<Step3>(before.step3, step3 as Partial<Step3> | undefined),
    step4: take<Step4>(before.step4, item.step4),
  })
}

const isResubmittedAtAnotherTime = ({ submission }: Attempt, item: KycItem) =>
  item.submit === true && submission !== null && (item.submittedAt ?? submission.submittedAt) !== submission.submittedAt

/** What was submitted or decided can't be changed from outside (PRODUCT section 4). */
function whyFixed(member: KycMember, attempt: Attempt): AppError | undefined {
  const { attemptNumber, submission } = attempt
  if (attemptNumber < latestOf(member)) return lowerThanLatest(member, attemptNumber)
  if (submission) {
    const { by, at } = lastDecision(member, attempt)
    return conflict(
      `attempt: attempt ${attemptNumber} was submitted and can't be changed any more`,
      by,
      at ?? submission.submittedAt,
    )
  }
  const { kycStatus, kycDecidedBy, kycDecidedAt } = member.facts
  if (kycStatus === 'approved') return conflict('attempt: the member is approved', kycDecidedBy, kycDecidedAt)
  return undefined
}

/**
 * Who decided on the attempt last, and when. A judged verification keeps its judgement through a reset; the reset stands
 * on the member's row.
 */
function lastDecision({ facts }: KycMember, { attemptNumber, verification }: Attempt) {
  return facts.kycDecidedAttempt === attemptNumber
    ? { by: facts.kycDecidedBy, at: facts.kycDecidedAt }
    : { by: verification?.decidedBy, at: verification?.decidedAt }
}

function wrongDocument({ memberId, step3, step4 }: KycItem, rules: Rules): AppError | undefined {
  const named: [string, string | undefined, DocumentKind][] = [
    ['step3.frontDocumentPath', step3?.frontDocumentPath, 'front'],
    ['step3.backDocumentPath', step3?.backDocumentPath, 'back'],
    ['step4.selfiePath', step4?.selfiePath, 'selfie'],
  ]
  const wrong = named.find(([, key, kind]) => key !== undefined && !rules.isDocument(key, memberId, kind))
  return wrong && invalidField(wrong[0], `names no ${wrong[2]} document of this member`)
}

function submit(attempt: Attempt, item: KycItem, rules: Rules): Attempt {
  const submittedAt = item.submittedAt ?? rules.now
  return {
    ...withStepStatus(attempt, 'submitted'),
    submission: { result: 'under_review', caseId: rules.newCaseId(), submittedAt, version: 1 },
    verification: {
      status: 'pending',
      rejectionReason: null,
      decidedBy: null,
      decidedAt: null,
      submittedAt,
      version: 1,
    },
  }
}

/** One attempt of a member waits at a time: by submitting another one the member takes back those before it. */
function closeEarlier(member: KycMember, { attemptNumber, submission: next }: Attempt): void {
  for (const attempt of member.attempts.values()) {
    const { submission, verification } = attempt
    if (!next || !submission || verification?.status !== 'pending' || attempt.attemptNumber >= attemptNumber) continue
    member.attempts.set(attempt.attemptNumber, {
      ...withStepStatus(attempt, 'reset'),
      submission: { ...submission, result: 'pending', version: submission.version + 1 },
      verification: {
        ...verification,
        status: 'reset',
        decidedBy: 'platform',
        decidedAt: next.submittedAt,
        version: verification.version + 1,
      },
    })
  }
}

/** What the platform had decided before it moved in; a decision that stands is never rewritten. */
function decide(
  member: KycMember,
  attempt: Attempt,
  { result, reason, decidedAt }: NonNullable<KycItem['decision']>,
): Attempt | AppError {
  const { attemptNumber, submission, verification } = attempt
  if (!submission || !verification)
    return conflict(`decision: attempt ${attemptNumber} has not been submitted, so nothing can be decided on it`)
  const rejectionReason = result === 'rejected' ? (reason ?? null) : null
  if (
    submission.result === result &&
    verification.rejectionReason === rejectionReason &&
    verification.decidedAt === decidedAt
  )
    return attempt
  if (submission.result !== 'under_review') {
    const { by, at } = lastDecision(member, attempt)
    return conflict(`decision: attempt ${attemptNumber} is ${submission.result}`, by, at)
  }
  if (attemptNumber < latestOf(member)) return lowerThanLatest(member, attemptNumber)
  if (decidedAt < submission.submittedAt)
    return invalidField('decision.decidedAt', `must not be before submittedAt, ${submission.submittedAt}`)
  if (member.facts.kycStatus === 'approved')
    return conflict('decision: the member is approved', member.facts.kycDecidedBy, member.facts.kycDecidedAt)
  return {
    ...withStepStatus(attempt, result),
    submission: { ...submission, result, version: submission.version + 1 },
    verification: {
      ...verification,
      status: result,
      rejectionReason,
      decidedBy: 'platform',
      decidedAt,
      version: verification.version + 1,
    },
  }
}

/** The member's row kept in step with its latest attempt, which `after` is. */
function summarise(member: KycMember, before: Attempt, after: Attempt, rules: Rules): KycFacts {
  const { step2, step3, step4, submission, verification } = after
  const facts: KycFacts = {
    ...member.facts,
    kycCurrentStep: step4 ? 4 : step3 ? 3 : step2 ? 2 : 1,
    kycDocumentType: step3?.documentType ?? null,
    kycFrontDocument: step3?.frontDocumentPath ?? null,
    kycBackDocument: step3?.backDocumentPath ?? null,
    kycSelfie: step4?.selfiePath ?? null,
  }
  if (submission && !before.submission) {
    facts.kycStatus = rules.statusOnSubmit
    facts.kycSubmissionCount++
    facts.kycSubmittedAt = submission.submittedAt
  }
  const result = verification !== before.verification && verification?.status
  if (verification && (result === 'approved' || result === 'rejected')) {
    facts.kycStatus = result
    facts.kycRejectionReason = verification.rejectionReason
    facts.kycAdminNotes = null
    facts.kycDecidedAttempt = after.attemptNumber
    facts.kycDecidedBy = verification.decidedBy
    facts.kycDecidedAt = verification.decidedAt
  }
  return facts
}
