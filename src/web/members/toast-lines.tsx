import type { ReactNode } from 'react'
import { kycStatusLabels } from '#contract/kyc.ts'
import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'

/** The second line of a toast about a member. */
export const renderMemberName = ({ user }: { user: Parameters<typeof displayName>[0] }): ReactNode => (
  <bdi>{displayName(user)}</bdi>
)

/** The second line of a toast about a decision on KYC: "Ayşe Koçak · MB-00000018", "Ana Lima · Rejected". */
export function renderKycOutcome({ user }: { user: Member }): ReactNode {
  const { kycStatus, membershipId } = user
  const outcome = kycStatus === 'approved' ? membershipId : kycStatus && kycStatusLabels[kycStatus]
  return (
    <>
      {renderMemberName({ user })}
      {outcome && ` · ${outcome}`}
    </>
  )
}
