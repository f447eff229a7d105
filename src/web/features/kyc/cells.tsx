import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { displayName } from '#contract/users.ts'
import { formatMachineWord } from '#web/lib/words.ts'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { paths } from '#web/paths.ts'
import { type TableWidth, ShownBelow } from '#web/table/table-widths.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Subject } from '#web/ui/subject.tsx'

/** The member a row belongs to. */
export type Member = Verification['user']

interface MemberCellProps {
  user: Member
  /** The width below which the e-mail's column is hidden. Undefined where there is no such column. */
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
            <TruncatedText>{user.email}</TruncatedText>
          ) : (
            <ShownBelow width={emailColumn}>
              <TruncatedText>{user.email}</TruncatedText>
            </ShownBelow>
          ))}
      </span>
    </Subject>
  )
}

const EmailCell = ({ user }: { user: Member }) => (
  <span className="block text-quiet">
    <TruncatedText>{user.email}</TruncatedText>
  </span>
)

/** A text of the platform, with machine words in plain English. */
export const WordsCell = ({ value, none = 'None' }: { value: string | null; none?: string }) =>
  value === null ? <MissingValue>{none}</MissingValue> : <TruncatedText>{formatMachineWord(value)}</TruncatedText>

export const SubmittedCell = ({ at }: { at: string }) => (
  <Instant value={at} className="text-12 leading-4.5 text-quiet" />
)

export const submittedColumn = {
  header: 'Submitted',
  meta: { width: 'clamp(80px, (100cqw - 1190px) * 999, 140px)', narrow: 'labelled' },
} as const

interface MemberRow {
  row: { original: { user: Member } }
}
/** For lists whose e-mail column is hidden below 1100 px. */
export const userColumn = {
  id: 'user',
  header: 'User',
  cell: ({ row: { original } }: MemberRow) => <MemberCell user={original.user} emailColumn={1100} />,
  meta: { min: '148px', narrow: 'full' },
} as const
export const emailColumn = {
  id: 'email',
  header: 'Email',
  cell: ({ row: { original } }: MemberRow) => <EmailCell user={original.user} />,
  meta: { min: '132px', hideBelow: 1100, narrow: 'full' },
} as const
