import { Link } from '@tanstack/react-router'
import type { Verification } from '#contract/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { asWords } from '#web/lib/words.ts'
import { paths } from '#web/paths.ts'
import { CutText } from '#web/ui/cut-text.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Missing } from '#web/ui/section.tsx'
import { Subject } from '#web/ui/subject.tsx'

/** The member a row belongs to. */
export type Member = Verification['user']

/** The member as a link; `withEmail` where the e-mail has no column of its own. */
export function MemberCell({ user, withEmail = false }: { user: Member; withEmail?: boolean }) {
  const name = displayName(user)
  return (
    <Subject name={name} initialFrom={user.legalFirstName || user.email} link={<Link {...paths.user(user.id)} />}>
      {withEmail && name !== user.email && <CutText>{user.email}</CutText>}
    </Subject>
  )
}

export const EmailCell = ({ user }: { user: Member }) => (
  <span className="block text-quiet">
    <CutText>{user.email}</CutText>
  </span>
)

/** A text of the platform's own; its machine words in plain ones. */
export const WordsCell = ({ value, none = 'None' }: { value: string | null; none?: string }) =>
  value === null ? <Missing>{none}</Missing> : <CutText>{asWords(value)}</CutText>

/** Day over hour, so that an instant leaves room for names. */
export const SubmittedCell = ({ at }: { at: string }) => (
  <Instant value={at} className="block text-12 leading-4.5 text-quiet md:whitespace-normal!" />
)

export const attemptLook = { header: 'Attempt', meta: { width: '80px', narrow: 'labelled' } } as const
export const submittedLook = { header: 'Submitted', meta: { width: '108px', narrow: 'labelled' } } as const
