import { type KycDecisionStatus, kycMoves } from '#contract/kyc-moves.ts'
import { platformEvent, type PlatformEvent } from '#contract/schemas/platform-events.ts'
import type { KycDecision } from '#contract/schemas/users.ts'
import { trimText } from '#contract/visible.ts'
import type { AuditEntry } from '#server/core/audit.ts'
import { AppError } from '#server/lib/errors.ts'
import { withStepStatus, type Attempt, type KycFacts, type KycMember } from './attempt-state.ts'

type StatusWithReason = {
  [To in KycDecisionStatus]: (typeof kycMoves)[To]['refusal'] extends string ? To : never
}[KycDecisionStatus]

/** What was decided; never without the reason that it needs. */
export type Verdict = { adminNotes: string | null } & (
  | { to: StatusWithReason; reason: string }
  | { to: Exclude<KycDecisionStatus, StatusWithReason>; reason: null }
)

export type Decision = Verdict & {
  decidedBy: string
  decidedAt: string
  /** Whether the KYC provider itself has decided. */
  autoProcessed: boolean
}

/** Where a member stands before or after a decision, as its audit row says. */
type MemberState = Pick<KycFacts, 'kycStatus'> & Pick<KycMember, 'membershipId'>

/** A decision as it was made on a member in memory; `writeKyc` writes it. */
export interface MemberDecision {
  member: KycMember
  /** Null where the member never submitted one. */
  attempt: number | null
  decision: Decision
  before: MemberState
  /** Whether the platform had decided before it moved in: it hears no event of it, and the audit row says when that was. */
  isImported: boolean
  /** The time of audit row and event, where that is not now. */
  recordedAt?: string | undefined
}

const needsReason = (to: KycDecisionStatus): to is StatusWithReason => kycMoves[to].refusal !== null

/** What was decided, as it is kept: blanks around it gone. Throws invalid for a missing reason. */
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
 * What a decision makes of a member in memory and of its latest submitted attempt, whoever decides: a console, the provider,
 * an import (product 7.1).
 */
export function decideMember(member: KycMember, attempt: number | null, decision: Decision): void {
  const { to, reason, adminNotes, decidedBy, decidedAt } = decision
  member.facts = {
    ...member.facts,
    kycStatus: to,
    kycRejectionReason: reason,
    kycAdminNotes: adminNotes,
    kycDecidedAttempt: attempt,
    kycDecidedBy: decidedBy,
    kycDecidedAt: decidedAt,
    // The documents of the earlier attempt stay in its step history.
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

/** The attempt follows the member. A reset closes a verification that nobody has judged; a judged one keeps its judgement. */
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

/** The audit row of a decision, once the membership id is given (product 7.1, 6.9). Null and absent are left out. */
export function buildAuditEntry({
  member,
  attempt,
  decision,
  before,
  isImported,
  recordedAt,
}: MemberDecision): AuditEntry {
  const { to, reason, adminNotes, decidedAt } = decision
  return {
    action: kycMoves[to].action,
    target: { type: 'user', id: member.id },
    at: recordedAt,
    details: {
      attemptNumber: attempt,
      ...(reason !== null && { rejectionReason: reason }),
      ...(adminNotes !== null && { adminNotes }),
      ...(isImported && { decidedAt }),
      before,
      // Another item of the same batch may have gone on with the member since.
      after: { kycStatus: to, membershipId: to === 'approved' ? member.membershipId : before.membershipId },
    },
  }
}

/** What the platform hears of a decision. */
export function buildEvent({ member, attempt, decision, recordedAt }: MemberDecision): PlatformEvent {
  const { id, version, membershipId } = member
  const head = { id, version, at: recordedAt }
  const kyc = { memberId: id, membershipId, attemptNumber: attempt }
  switch (decision.to) {
    case 'approved':
      return platformEvent(kycMoves[decision.to].event, { ...head, data: { ...kyc, kycStatus: decision.to } })
    case 'rejected': {
      const data = { ...kyc, kycStatus: decision.to, reason: decision.reason }
      return platformEvent(kycMoves[decision.to].event, { ...head, data })
    }
    case 'pending':
      return platformEvent(kycMoves[decision.to].event, { ...head, data: { ...kyc, kycStatus: decision.to } })
  }
}
