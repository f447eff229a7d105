import type * as z from 'zod/mini'
import type { DocumentKind } from '#contract/kyc.ts'
import type { ImportLine, KycBody } from '#contract/schemas/platform.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { applyChange, type Outcome } from '#server/core/upsert.ts'
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
import { decideAttempt, decideMember, type Decision, type MemberDecision, memberStateOf } from './decision.ts'

export type KycItem = { memberId: string; attempt: number } & z.output<typeof KycBody> &
  Pick<ImportLine<'kyc'>, 'decision'>

export interface AttemptRules {
  now: string
  /** The member's status after submitting (product 7.1). */
  statusOnSubmit: 'submitted' | 'under_review'
  /** Calls must continue with the next attempt. Imports may skip numbers. */
  isImport: boolean
  newCaseId: () => string
  isDocument: (key: string, memberId: string, kind: DocumentKind) => boolean
  /** Collects the decisions in order. */
  decisions: MemberDecision[]
}

/** Applies one item to `member` in memory, or returns the refusal and changes nothing. */
export function applyAttempt(member: KycMember, item: KycItem, rules: AttemptRules): Outcome {
  const before = member.attempts.get(item.attempt) ?? emptyAttempt(item.attempt)
  const gap = checkAttemptGap(member, item.attempt, rules)
  if (gap) return gap
  const empty = isEmptyItem(item) && checkEmptyItem(member, item.attempt)
  if (empty) return empty
  const taken = applySteps(before, item, rules)
  const submits = item.submit === true && !before.submission
  if (taken !== before || submits || isResubmittedAtOtherTime(before, item)) {
    const refusal = checkAttemptOpen(member, before) ?? checkDocuments(item, rules)
    if (refusal) return refusal
  }
  const submitted = submits ? submitAttempt(taken, item, rules) : taken
  const decision = item.decision && readImportedDecision(member, submitted, item.decision)
  if (decision instanceof AppError) return decision
  if (submitted === before && !decision) return restoreDraft(member, before, item, rules)
  const isNew = !member.attempts.has(item.attempt)
  const standing = memberStateOf(member)
  if (submits) closeEarlierAttempts(member, submitted)
  member.attempts.set(item.attempt, submitted)
  member.facts = summariseMember(member, before, submitted, rules)
  if (decision) {
    decideMember(member, item.attempt, decision)
    rules.decisions.push({ member, attempt: item.attempt, decision, before: standing, isImported: true })
  }
  member.version++
  return isNew ? 'created' : 'updated'
}

const hasSteps = ({ step2, step3, step4 }: KycItem) => Boolean(step2 ?? step3 ?? step4)
const isEmptyItem = (item: KycItem) => !hasSteps(item) && !item.submit && !item.decision

/** Refuses an empty item for an attempt that is superseded or does not exist. */
function checkEmptyItem(member: KycMember, attempt: number): AppError | undefined {
  if (attempt < latestAttemptOf(member)) return supersededError(member, attempt)
  if (member.attempts.has(attempt)) return undefined
  return invalidField('attempt', `there is no attempt ${attempt} yet; send a step of it or submit it`)
}

const supersededError = (member: KycMember, attempt: number) =>
  new AppError(
    'attempt_superseded',
    `attempt: ${attempt} is lower than the member's latest attempt, ${latestAttemptOf(member)}`,
    { details: { latestAttempt: latestAttemptOf(member) } },
  )

/** An import may skip a few attempt numbers that the platform assigned and nobody submitted. */
const maxImportGap = 10

/**
 * A call must use the next attempt, so that an open draft is submitted or changed and never skipped. For imports the
 * limit keeps one line with the highest possible number from using up all numbers of the member.
 */
function checkAttemptGap(member: KycMember, attempt: number, { isImport }: AttemptRules): AppError | undefined {
  const [latest, next] = [latestAttemptOf(member), nextAttemptOf(member)]
  if (attempt <= (isImport ? latest + maxImportGap : next)) return undefined
  if (!isImport && member.facts.kycStatus === 'approved') return memberApprovedError(member, 'attempt')
  const limit = isImport
    ? `an import may be ${maxImportGap} ahead of attempt ${latest}`
    : `the member's next attempt is ${next}`
  return new AppError('attempt_gap', `attempt: ${attempt} is too far ahead; ${limit}`, {
    details: { nextAttempt: next },
  })
}

/** Restores the member's columns after a reset, when the platform sends the same steps of a draft again. */
function restoreDraft(member: KycMember, draft: Attempt, item: KycItem, rules: AttemptRules): Outcome {
  if (!hasSteps(item) || checkAttemptOpen(member, draft)) return 'unchanged'
  const facts = applyChange(member.facts, summariseMember(member, draft, draft, rules))
  if (facts === member.facts) return 'unchanged'
  member.facts = facts
  member.version++
  return 'updated'
}

const latestAttemptOf = (member: KycMember) => Math.max(0, ...member.attempts.keys())

/** The open draft, otherwise the next number. The same as `kyc.nextAttempt` of the member. */
function nextAttemptOf(member: KycMember): number {
  const latest = latestAttemptOf(member)
  const isDraft = member.attempts.get(latest)?.submission === null
  return isDraft ? latest : latest + 1
}

const memberApprovedError = ({ facts: { kycDecidedBy, kycDecidedAt } }: KycMember, field: string) =>
  conflict('member_approved', `${field}: the member is approved`, {
    status: 'approved',
    by: kycDecidedBy,
    at: kycDecidedAt,
  })

const rejectedFinallyError = ({ facts: { kycDecidedBy, kycDecidedAt } }: KycMember) =>
  conflict('rejected_finally', 'attempt: the member is rejected for good, unless an operator resets it', {
    status: 'rejected',
    by: kycDecidedBy,
    at: kycDecidedAt,
  })

/** The attempt with the steps of the item. The same object if nothing differs. */
function applySteps(before: Attempt, item: KycItem, rules: AttemptRules): Attempt {
  const applyStep = <S extends Step>(present: S | null, given: Partial<S> | undefined): S | null => {
    if (!given) return present
    const fresh = { status: 'draft', submittedAt: item.submittedAt ?? rules.now }
    // A new step has all fields of the contract's schema, plus the two that every step has.
    if (!present) return { ...fresh, ...given } as S
    const after = applyChange<S>(present, { ...given, submittedAt: item.submittedAt })
    return after === present || item.submittedAt ? after : { ...after, submittedAt: rules.now }
  }
  const step3 = item.step3 && {
    ...item.step3,
    ...(!before.step3 && { backDocumentPath: item.step3.backDocumentPath ?? null }),
  }
  return applyChange(before, {
    step2: applyStep<Step2>(before.step2, item.step2),
    step3: applyStep<Step3>(before.step3, step3 as Partial<Step3> | undefined),
    step4: applyStep<Step4>(before.step4, item.step4),
  })
}

const isResubmittedAtOtherTime = ({ submission }: Attempt, item: KycItem) =>
  item.submit === true && submission !== null && (item.submittedAt ?? submission.submittedAt) !== submission.submittedAt

/** Refuses changes from outside to what is submitted or decided (product 7.8). */
function checkAttemptOpen(member: KycMember, attempt: Attempt): AppError | undefined {
  const { attemptNumber, submission } = attempt
  if (attemptNumber < latestAttemptOf(member)) return supersededError(member, attemptNumber)
  if (submission) {
    const { by, at } = lastDecision(member, attempt)
    return conflict(
      'attempt_submitted',
      `attempt: attempt ${attemptNumber} was submitted and can't be changed any more`,
      { status: submission.result, by, at: at ?? submission.submittedAt },
    )
  }
  if (member.facts.kycRejectedFinally) return rejectedFinallyError(member)
  return member.facts.kycStatus === 'approved' ? memberApprovedError(member, 'attempt') : undefined
}

/**
 * Who decided last on the attempt, and when. A reset keeps the judgement of the verification and is recorded on the
 * member's row.
 */
function lastDecision({ facts }: KycMember, { attemptNumber, verification }: Attempt) {
  return facts.kycDecidedAttempt === attemptNumber
    ? { by: facts.kycDecidedBy, at: facts.kycDecidedAt }
    : { by: verification?.decidedBy, at: verification?.decidedAt }
}

function checkDocuments({ memberId, step3, step4 }: KycItem, rules: AttemptRules): AppError | undefined {
  const named: [string, string | null | undefined, DocumentKind][] = [
    ['step3.frontDocumentPath', step3?.frontDocumentPath, 'front'],
    ['step3.backDocumentPath', step3?.backDocumentPath, 'back'],
    ['step4.selfiePath', step4?.selfiePath, 'selfie'],
  ]
  const wrong = named.find(([, key, kind]) => key && !rules.isDocument(key, memberId, kind))
  return wrong && invalidField(wrong[0], `names no ${wrong[2]} document of this member`)
}

function submitAttempt(attempt: Attempt, item: KycItem, rules: AttemptRules): Attempt {
  const submittedAt = item.submittedAt ?? rules.now
  return {
    ...withStepStatus(attempt, 'submitted'),
    submission: { result: 'under_review', autoProcessed: false, caseId: rules.newCaseId(), submittedAt, version: 1 },
    verification: {
      status: 'pending',
      rejectionReason: null,
      adminNotes: null,
      result: null,
      decidedBy: null,
      decidedAt: null,
      submittedAt,
      version: 1,
    },
  }
}

/** Closes earlier attempts that wait: a member has one waiting attempt at a time. */
function closeEarlierAttempts(member: KycMember, { attemptNumber, submission: next }: Attempt): void {
  for (const attempt of member.attempts.values()) {
    const { submission, verification } = attempt
    if (!next || !submission || verification?.status !== 'pending' || attempt.attemptNumber >= attemptNumber) continue
    const { autoProcessed } = submission
    const takenBack = { to: 'pending', reason: null, adminNotes: null, autoProcessed } as const
    const closed = decideAttempt(attempt, { ...takenBack, decidedBy: 'platform', decidedAt: next.submittedAt })
    member.attempts.set(attempt.attemptNumber, closed)
  }
}

const isWaiting = ({ submission, verification }: Attempt) =>
  submission?.result === 'under_review' && verification?.status === 'pending'

/**
 * The decision that the platform made before its import. Undefined if it is stored already. A stored decision never
 * changes. It must come with its submission: while an attempt of the member waits here, operators decide, and no later
 * attempt may be imported.
 */
function readImportedDecision(
  member: KycMember,
  attempt: Attempt,
  { result, reason, decidedAt }: NonNullable<KycItem['decision']>,
): Decision | AppError | undefined {
  const { attemptNumber, submission, verification } = attempt
  if (!submission || !verification)
    return conflict(
      'not_submitted',
      `decision: attempt ${attemptNumber} has not been submitted, so nothing can be decided on it`,
    )
  const rejectionReason = result === 'rejected' ? (reason ?? null) : null
  if (
    submission.result === result &&
    verification.rejectionReason === rejectionReason &&
    verification.decidedAt === decidedAt
  )
    return undefined
  if (submission.result !== 'under_review') {
    const { by, at } = lastDecision(member, attempt)
    const { result: status } = submission
    return conflict('attempt_decided', `decision: attempt ${attemptNumber} is ${status}`, { status, by, at })
  }
  if (attemptNumber < latestAttemptOf(member)) return supersededError(member, attemptNumber)
  const waiting = [...member.attempts.values()].find(isWaiting)
  if (waiting) return decisionWaitsError(waiting)
  if (decidedAt < submission.submittedAt)
    return invalidField('decision.decidedAt', `must not be before submittedAt, ${submission.submittedAt}`)
  if (member.facts.kycStatus === 'approved') return memberApprovedError(member, 'decision')
  const common = { adminNotes: null, decidedBy: 'platform', decidedAt, autoProcessed: false }
  return result === 'rejected'
    ? // The contract refuses a rejection without its reason.
      { ...common, to: result, reason: rejectionReason ?? '' }
    : { ...common, to: result, reason: null }
}

const decisionWaitsError = ({ attemptNumber, submission }: Attempt) =>
  new AppError('decision_waits_here', `decision: attempt ${attemptNumber} waits for an operator here, who decides it`, {
    details: { attempt: attemptNumber, submittedAt: submission?.submittedAt },
  })

/** The member's KYC columns after a change to its latest attempt. */
function summariseMember(member: KycMember, before: Attempt, after: Attempt, rules: AttemptRules): KycFacts {
  const { step2, step3, step4, submission } = after
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
  return facts
}
