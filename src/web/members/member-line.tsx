import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'

type MemberIdentity = Pick<Member, 'email' | 'legalFirstName' | 'legalLastName'> & Partial<Pick<Member, 'membershipId'>>

/** E-mail and membership id, to tell members of one name apart. */
export function MemberLine({ member }: { member: MemberIdentity }) {
  const email = displayName(member) === member.email ? null : member.email
  const known = [email, member.membershipId].filter(Boolean)
  return known.length > 0 && <p className="mb-4 text-13 wrap-anywhere text-quiet">{known.join(' · ')}</p>
}
