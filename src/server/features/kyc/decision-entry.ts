import type { KycStatus } from '#contract/kyc.ts'
import type { AuditEntry } from '#server/audit.ts'

interface Standing {
  kycStatus: KycStatus | null
  membershipId: string | null
}

/** The audit row of a decision on a member's KYC, whoever took it (PRODUCT 3.12, 3.20). Null and absent are left out. */
export function decisionEntry(
  action: 'approve_kyc' | 'reject_kyc' | 'reset_kyc',
  memberId: string,
  given: {
    attempt: number | null
    reason: string | null
    adminNotes?: string | null
    /** When it was taken, where that is not now. */
    decidedAt?: string
    before: Standing
    after: Standing
  },
): AuditEntry {
  const { attempt, reason, adminNotes, decidedAt, before, after } = given
  const standing = ({ kycStatus, membershipId }: Standing) => ({ kycStatus, membershipId })
  return {
    action,
    target: { type: 'user', id: memberId },
    details: {
      attemptNumber: attempt,
      ...(reason !== null && { rejectionReason: reason }),
      ...(typeof adminNotes === 'string' && { adminNotes }),
      ...(decidedAt !== undefined && { decidedAt }),
      before: standing(before),
      after: standing(after),
    },
  }
}
