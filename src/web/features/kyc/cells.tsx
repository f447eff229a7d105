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

interface MemberCellProps {
  user: Member
  /** Where the e-mail has no column of its own, or has one that is left out between 768 and 1100 px. */
  withEmail: 'always' | 'below wide'
}

/** The member as a link, and the e-mail under it. */
export function MemberCell({ user, withEmail }: MemberCellProps) {
  const name = displayName(user)
  return (
    <Subject name={name} initialFrom={user.legalFirstName || user.email} link={<Link {...paths.user(user.id)} />}>
      {name !== user.email && (
        <div className={withEmail === 'always' ? undefined : 'hidden md:max-wide:block'}>
          <CutText>{user.email}</CutText>
        </div>
      )}
    </Subject>
  )
}

const EmailCell = ({ user }: { user: Member }) => (
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
// One line on wide screens, two where names need the room.
const submittedWidth = 'clamp(108px, 100vw - 1452px, 160px)'
export const submittedLook = { header: 'Submitted', meta: { width: submittedWidth, narrow: 'labelled' } } as const

interface OfMember {
  row: { original: { user: Member } }
}
export const userLook = {
  id: 'user',
  header: 'User',
  cell: ({ row: { original } }: OfMember) => <MemberCell user={original.user} withEmail="below wide" />,
  meta: { min: '172px', narrow: 'full' },
} as const
/** The e-mail's own column; below 1100 px it stands under the name. */
export const emailLook = {
  id: 'email',
  header: 'Email',
  cell: ({ row: { original } }: OfMember) => <EmailCell user={original.user} />,
  meta: { min: '152px', hideBelowWide: true, narrow: 'full' },
} as const
