import { type KycDecisionStatus, kycMoves } from '#contract/kyc-moves.ts'
import type { MissingPart } from '#contract/kyc-parts.ts'
import { platformEvent, type PlatformEvent } from '#contract/schemas/platform-events.ts'
import type { KycDecision } from '#contract/schemas/members.ts'
import { trimText } from '#contract/visible.ts'
import type { AuditEntry } from '#server/core/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import { withStepStatus, type Attempt, type KycFacts, type KycMember } from './attempt-state.ts'

type StatusWithReason = {
  [To in KycDecisionStatus]: (typeof kycMoves)[To]['refusal'] extends string ? To : never
}[KycDecisionStatus]

/** A decision, with its reason if the status requires one. */
export type Verdict = { adminNotes: string | null } & (
  | { to: StatusWithReason; reason: string }
  | { to: Exclude<KycDecisionStatus, StatusWithReason>; reason: null }
)

export type Decision = Verdict & {
  decidedBy: string
  decidedAt: string
  /** Whether the KYC provider decided. */
  autoProcessed: boolean
  /** Whether the provider calls its rejection final. */
  isFinal?: boolean
}

/** The member's state before and after a decision, for the audit row. */
type MemberState = Pick<KycFacts, 'kycStatus'> & Pick<KycMember, 'membershipId'>

/** A decision on a member in memory. `writeKyc` writes it. */
export interface MemberDecision {
  member: KycMember
  /** Null if the member never submitted an attempt. */
  attempt: number | null
  decision: Decision
  before: MemberState
  /** What was missing when an operator or the provider approved. */
  missing?: readonly MissingPart[]
  /** Whether the platform decided before the import. It then gets no event, and the audit row has the original time. */
  isImported: boolean
}

const needsReason = (to: KycDecisionStatus): to is StatusWithReason => kycMoves[to].refusal !== null

/** Parses a decision and trims its texts. Throws invalid for a missing reason. */
export function readDecision(to: KycDecisionStatus, given: KycDecision): Verdict {
  const adminNotes = trimText(given.adminNotes) || null
  if (!needsReason(to)) return { to, reason: null, adminNotes }
  const reason = trimText(given.rejectionReason)
  if (!reason) throw new AppError('invalid', kycMoves[to].refusal)
  return { to, reason, adminNotes }
}

export const memberStateOf = ({ facts, membershipId }: KycMember): MemberState => ({
  kycStatus: facts.kycStatus,
  membershipId,
})

/**
 * Applies a decision to a member in memory and to its latest submitted attempt. Used for operators, the provider and
 * imports (product 7.1).
 */
export function decideMember(member: KycMember, attempt: number | null, decision: Decision): void {
  const { to, reason, adminNotes, decidedBy, decidedAt, isFinal = false } = decision
  member.facts = {
    ...member.facts,
    kycStatus: to,
    kycRejectionReason: reason,
    // Another rejection of an operator leaves it so.
    kycRejectedFinally: to === 'rejected' && (isFinal || member.facts.kycRejectedFinally),
    kycAdminNotes: adminNotes,
    kycDecidedAttempt: attempt,
    kycDecidedBy: decidedBy,
    kycDecidedAt: decidedAt,
    // The documents of the attempt stay in the step history.
    ...(to === 'pending' && {
      kycCurrentStep: 1,
      kycDocumentType: null,
      kycFrontDocument: null,
      kycBackDocument: null,
      kycSelfie: null,
    }),
  }
  const decided = attempt === null ? undefined : member.attempts.get(attempt)
  if (decided) member.attempts.set(decided.attemptNumber, decideAttempt(decided, decision))
}

/** Applies the member's decision to the attempt. A reset closes an undecided verification and keeps a decided one. */
export function decideAttempt(attempt: Attempt, decision: Decision): Attempt {
  const { to, reason, adminNotes, decidedBy, decidedAt, autoProcessed } = decision
  const { submission, verification } = attempt
  const { step, verification: status } = kycMoves[to]
  const keepsJudgement = to === 'pending' && verification?.status !== 'pending'
  return {
    ...withStepStatus(attempt, step),
    submission: submission && { ...submission, result: to, autoProcessed, version: submission.version + 1 },
    verification:
      verification && !keepsJudgement
        ? {
            ...verification,
            status,
            rejectionReason: reason,
            adminNotes,
            decidedBy,
            decidedAt,
            version: verification.version + 1,
          }
        : verification,
  }
}

/** The audit row of a decision (product 7.1, 6.9). Build it after the membership id is assigned. Omits null values. */
export function buildAuditEntry({
  member,
  attempt,
  decision,
  before,
  missing = [],
  isImported,
}: MemberDecision): AuditEntry {
  const { to, reason, adminNotes, decidedAt } = decision
  const texts = { ...(reason !== null && { rejectionReason: reason }), ...(adminNotes !== null && { adminNotes }) }
  return {
    action: kycMoves[to].action,
    target: { type: 'user', id: member.id },
    ...(Object.keys(texts).length > 0 && { personal: { memberId: member.id, details: texts } }),
    details: {
      attemptNumber: attempt,
      ...(isImported && { decidedAt }),
      ...(missing.length > 0 && { missing }),
      before,
      // A later item of the same batch may have changed the member again.
      after: { kycStatus: to, membershipId: to === 'approved' ? member.membershipId : before.membershipId },
    },
  }
}

/** The event of a decision. */
export function buildEvent({ member, attempt, decision }: MemberDecision): PlatformEvent {
  const { id, version, membershipId } = member
  const head = { id, version }
  const kyc = { memberId: id, membershipId, attemptNumber: attempt }
  switch (decision.to) {
    case 'approved':
      return platformEvent(kycMoves[decision.to].event, { ...head, data: { ...kyc, kycStatus: decision.to } })
    case 'rejected': {
      const data = { ...kyc, kycStatus: decision.to, reason: decision.reason, final: member.facts.kycRejectedFinally }
      return platformEvent(kycMoves[decision.to].event, { ...head, data })
    }
    case 'pending':
      return platformEvent(kycMoves[decision.to].event, { ...head, data: { ...kyc, kycStatus: decision.to } })
  }
}
