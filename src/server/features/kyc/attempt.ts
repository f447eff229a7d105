import type * as z from 'zod/mini'
import type { DocumentKind } from '#contract/kyc.ts'
import type { ImportLine, KycBody } from '#contract/schemas/platform.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'
import { changed, type Outcome } from '#server/core/upsert.ts'
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
import { decideAttempt, decideMember, type Decision, type DecisionMade, standingOf } from './decision.ts'

export type KycItem = { memberId: string; attempt: number } & z.output<typeof KycBody> &
  Pick<ImportLine<'kyc'>, 'decision'>

export interface Rules {
  now: string
  /** What a member's status becomes by submitting (product 7.1). */
  statusOnSubmit: 'submitted' | 'under_review'
  /** By call attempts come one after the other; an import may leave some out. */
  isImport: boolean
  newCaseId: () => string
  isDocument: (key: string, memberId: string, kind: DocumentKind) => boolean
  /** Takes up each decision as it is made. */
  decisions: DecisionMade[]
}

/** Serves one item: changes `member` in memory, or says why not and leaves it as it was. */
export function applyAttempt(member: KycMember, item: KycItem, rules: Rules): Outcome {
  const before = member.attempts.get(item.attempt) ?? emptyAttempt(item.attempt)
  const gap = whyTooFarAhead(member, item.attempt, rules)
  if (gap) return gap
  const empty = saysNothing(item) && whyEmptyIsRefused(member, item.attempt)
  if (empty) return empty
  const taken = takeSteps(before, item, rules)
  const submits = item.submit === true && !before.submission
  if (taken !== before || submits || isResubmittedAtAnotherTime(before, item)) {
    const refusal = whyFixed(member, before) ?? wrongDocument(item, rules)
    if (refusal) return refusal
  }
  const submitted = submits ? submit(taken, item, rules) : taken
  const decision = item.decision && readImported(member, submitted, item.decision)
  if (decision instanceof AppError) return decision
  if (submitted === before && !decision) return restore(member, before, item, rules)
  const isNew = !member.attempts.has(item.attempt)
  const standing = standingOf(member)
  if (submits) closeEarlier(member, submitted)
  member.attempts.set(item.attempt, submitted)
  member.facts = summarise(member, before, submitted, rules)
  if (decision) {
    decideMember(member, item.attempt, decision)
    rules.decisions.push({ member, attempt: item.attempt, decision, before: standing, isImported: true })
  }
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
  new AppError(
    'attempt_superseded',
    `attempt: ${attempt} is lower than the member's latest attempt, ${latestOf(member)}`,
    { details: { latestAttempt: latestOf(member) } },
  )

/** An import may leave out numbers that the platform gave and nobody handed in, a few at a time. */
const mostAheadOfImports = 10

/**
 * By call only the next attempt is taken, so that an open draft is handed in or changed, never passed by. In an import the
 * limit keeps one line with the highest number there is from leaving the member none to go on with.
 */
function whyTooFarAhead(member: KycMember, attempt: number, { isImport }: Rules): AppError | undefined {
  const [latest, next] = [latestOf(member), nextOf(member)]
  if (attempt <= (isImport ? latest + mostAheadOfImports : next)) return undefined
  if (!isImport && member.facts.kycStatus === 'approved') return alreadyApproved(member, 'attempt')
  const limit = isImport
    ? `an import may be ${mostAheadOfImports} ahead of attempt ${latest}`
    : `the member's next attempt is ${next}`
  return new AppError('attempt_gap', `attempt: ${attempt} is too far ahead; ${limit}`, {
    details: { nextAttempt: next },
  })
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

/** The open draft, else the one after all that there were; `kyc.nextAttempt` of the member's own answer. */
function nextOf(member: KycMember): number {
  const latest = latestOf(member)
  const isDraft = member.attempts.get(latest)?.submission === null
  return isDraft ? latest : latest + 1
}

const alreadyApproved = ({ facts: { kycDecidedBy, kycDecidedAt } }: KycMember, field: string) =>
  conflict('member_approved', `${field}: the member is approved`, {
    status: 'approved',
    by: kycDecidedBy,
    at: kycDecidedAt,
  })

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

/** What was submitted or decided can't be changed from outside (product 7.8). */
function whyFixed(member: KycMember, attempt: Attempt): AppError | undefined {
  const { attemptNumber, submission } = attempt
  if (attemptNumber < latestOf(member)) return lowerThanLatest(member, attemptNumber)
  if (submission) {
    const { by, at } = lastDecision(member, attempt)
    return conflict(
      'attempt_submitted',
      `attempt: attempt ${attemptNumber} was submitted and can't be changed any more`,
      { status: submission.result, by, at: at ?? submission.submittedAt },
    )
  }
  return member.facts.kycStatus === 'approved' ? alreadyApproved(member, 'attempt') : undefined
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
  const named: [string, string | null | undefined, DocumentKind][] = [
    ['step3.frontDocumentPath', step3?.frontDocumentPath, 'front'],
    ['step3.backDocumentPath', step3?.backDocumentPath, 'back'],
    ['step4.selfiePath', step4?.selfiePath, 'selfie'],
  ]
  const wrong = named.find(([, key, kind]) => key && !rules.isDocument(key, memberId, kind))
  return wrong && invalidField(wrong[0], `names no ${wrong[2]} document of this member`)
}

function submit(attempt: Attempt, item: KycItem, rules: Rules): Attempt {
  const submittedAt = item.submittedAt ?? rules.now
  return {
    ...withStepStatus(attempt, 'submitted'),
    submission: { result: 'under_review', autoProcessed: false, caseId: rules.newCaseId(), submittedAt, version: 1 },
    verification: {
      status: 'pending',
      rejectionReason: null,
      adminNotes: null,
      word: null,
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
    const { autoProcessed } = submission
    const takenBack = { to: 'pending', reason: null, adminNotes: null, autoProcessed } as const
    const closed = decideAttempt(attempt, { ...takenBack, decidedBy: 'platform', decidedAt: next.submittedAt })
    member.attempts.set(attempt.attemptNumber, closed)
  }
}

const isWaiting = ({ submission, verification }: Attempt) =>
  submission?.result === 'under_review' && verification?.status === 'pending'

/**
 * What the platform had decided before it moved in; undefined where that stands already. A decision that stands is never
 * rewritten. It comes in one item with its submission: while any attempt of the member waits here, operators decide, and no
 * later attempt gets past them.
 */
function readImported(
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
  if (attemptNumber < latestOf(member)) return lowerThanLatest(member, attemptNumber)
  const waiting = [...member.attempts.values()].find(isWaiting)
  if (waiting) return waitsHere(waiting)
  if (decidedAt < submission.submittedAt)
    return invalidField('decision.decidedAt', `must not be before submittedAt, ${submission.submittedAt}`)
  if (member.facts.kycStatus === 'approved') return alreadyApproved(member, 'decision')
  const common = { adminNotes: null, decidedBy: 'platform', decidedAt, autoProcessed: false }
  return result === 'rejected'
    ? // The contract refuses a rejection without its reason.
      { ...common, to: result, reason: rejectionReason ?? '' }
    : { ...common, to: result, reason: null }
}

const waitsHere = ({ attemptNumber, submission }: Attempt) =>
  new AppError('decision_waits_here', `decision: attempt ${attemptNumber} waits for an operator here, who decides it`, {
    details: { attempt: attemptNumber, submittedAt: submission?.submittedAt },
  })

/** The member's row kept in step with its latest attempt, which `after` is. */
function summarise(member: KycMember, before: Attempt, after: Attempt, rules: Rules): KycFacts {
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
