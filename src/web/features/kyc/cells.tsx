import { Link } from '@tanstack/react-router'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { asWords } from '#web/lib/words.ts'
import { BannedMark } from '#web/members/banned.tsx'
import { paths } from '#web/paths.ts'
import { type TableWidth, ShownBelow } from '#web/table/table-widths.tsx'
import { CutText } from '#web/ui/cut-text.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Missing } from '#web/ui/section.tsx'
import { Subject } from '#web/ui/subject.tsx'

/** The member a row belongs to. */
export type Member = Verification['user']

interface MemberCellProps {
  user: Member
  /** Below this width the e-mail's own column is hidden; none where it has no column. */
  emailColumn?: TableWidth
}

/** The member as a link, and the e-mail under it. */
export function MemberCell({ user, emailColumn }: MemberCellProps) {
  const name = displayName(user)
  return (
    <Subject name={name} initialFrom={user.legalFirstName || user.email} link={<Link {...paths.user(user.id)} />}>
      <span className="flex min-w-0 gap-1.5">
        <BannedMark member={user} />
        {name !== user.email &&
          (emailColumn === undefined ? (
            <CutText>{user.email}</CutText>
          ) : (
            <ShownBelow width={emailColumn}>
              <CutText>{user.email}</CutText>
            </ShownBelow>
          ))}
      </span>
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

export const SubmittedCell = ({ at }: { at: string }) => (
  <Instant value={at} className="text-12 leading-4.5 text-quiet" />
)

export const submittedLook = {
  header: 'Submitted',
  meta: { width: 'clamp(80px, (100cqw - 1190px) * 999, 140px)', narrow: 'labelled' },
} as const

interface OfMember {
  row: { original: { user: Member } }
}
/** Where the e-mail has a column of its own, below 1100 px stands under the name. */
export const userLook = {
  id: 'user',
  header: 'User',
  cell: ({ row: { original } }: OfMember) => <MemberCell user={original.user} emailColumn={1100} />,
  meta: { min: '148px', narrow: 'full' },
} as const
export const emailLook = {
  id: 'email',
  header: 'Email',
  cell: ({ row: { original } }: OfMember) => <EmailCell user={original.user} />,
  meta: { min: '132px', hideBelow: 1100, narrow: 'full' },
} as const
