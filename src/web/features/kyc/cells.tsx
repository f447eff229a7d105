import type { MemberRef } from '#contract/schemas/kyc.ts'
import { displayName } from '#contract/members.ts'
import { formatMachineWord } from '#web/lib/words.ts'
import { Link } from '#web/link.tsx'
import { BannedMark } from '#web/members/ban-notes.tsx'
import { paths } from '#web/paths.ts'
import { instantWidth } from '#web/table/columns.ts'
import { type TableWidth, ShownBelow } from '#web/table/table-widths.tsx'
import { TruncatedText } from '#web/ui/truncated-text.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { Subject } from '#web/ui/subject.tsx'

interface MemberCellProps {
  member: MemberRef
  /** The width below which the e-mail's column is hidden. Undefined where there is no such column. */
  emailColumn?: TableWidth
}

/** The member as a link, and the e-mail under it. */
export function MemberCell({ member, emailColumn }: MemberCellProps) {
  const name = displayName(member)
  return (
    <Subject
      name={name}
      initialFrom={member.legalFirstName || member.email}
      link={<Link {...paths.member(member.id)} />}
    >
      <span className="flex min-w-0 gap-1.5">
        <BannedMark member={member} />
        {name !== member.email &&
          (emailColumn === undefined ? (
            <TruncatedText>{member.email}</TruncatedText>
          ) : (
            <ShownBelow width={emailColumn}>
              <TruncatedText>{member.email}</TruncatedText>
            </ShownBelow>
          ))}
      </span>
    </Subject>
  )
}

const EmailCell = ({ member }: { member: MemberRef }) => (
  <span className="block text-quiet">
    <TruncatedText>{member.email}</TruncatedText>
  </span>
)

/** A text of the platform, with machine words in plain English. */
export const WordsCell = ({ value, none = 'None' }: { value: string | null; none?: string }) =>
  value === null ? <MissingValue>{none}</MissingValue> : <TruncatedText>{formatMachineWord(value)}</TruncatedText>

export const SubmittedCell = ({ at }: { at: string }) => <Instant value={at} className="text-quiet" />

export const submittedColumn = { header: 'Submitted', meta: { width: instantWidth(1190), narrow: 'aside' } } as const

interface CellProps {
  row: { original: { user: MemberRef } }
}
/** For lists whose e-mail column is hidden below 1100 px. */
export const memberColumn = {
  id: 'user',
  header: 'User',
  cell: ({ row: { original } }: CellProps) => <MemberCell member={original.user} emailColumn={1100} />,
  meta: { min: '148px', narrow: 'subject' },
} as const
export const emailColumn = {
  id: 'email',
  header: 'Email',
  cell: ({ row: { original } }: CellProps) => <EmailCell member={original.user} />,
  meta: { min: '132px', hideBelow: 1100, narrow: 'hidden' },
} as const
