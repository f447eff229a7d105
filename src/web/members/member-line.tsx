import { displayName } from '#contract/users.ts'
import type { User } from '#contract/schemas/users.ts'

type MemberIdentity = Pick<User, 'email' | 'legalFirstName' | 'legalLastName'> & Partial<Pick<User, 'membershipId'>>

/** Which of several members of one name a dialog is about: e-mail and membership id. */
export function MemberLine({ member }: { member: MemberIdentity }) {
  const email = displayName(member) === member.email ? null : member.email
  const known = [email, member.membershipId].filter(Boolean)
  return known.length > 0 && <p className="mb-4 text-13 wrap-anywhere text-quiet">{known.join(' · ')}</p>
}
