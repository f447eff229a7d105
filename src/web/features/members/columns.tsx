import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Button } from '#web/ui/button.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Subject } from '#web/ui/subject.tsx'
import { BanState, KycBadge } from '#web/members/badges.tsx'
import { PermissionGate } from '#web/permission-gate.tsx'

const column = createColumns<Member>()

/** The e-mail is hidden before the membership id. */
function Contact({ member }: { member: Member }) {
  const name = displayName(member)
  return (
    <span className="flex min-w-0 gap-1.5">
      <bdi className="min-w-0 truncate" title={member.email}>
        {name === member.email ? 'No name yet' : member.email}
      </bdi>
      {member.membershipId && (
        <span className="shrink-0 whitespace-nowrap">
          <span aria-hidden>· </span>
          {member.membershipId}
        </span>
      )}
    </span>
  )
}

interface ActionsProps {
  member: Member
  onChange: (member: Member) => void
}
function Actions({ member, onChange }: ActionsProps) {
  const name = displayName(member)
  const change = member.kycBanned ? 'Unban' : 'Ban'
  return (
    <RowActions>
      <Button asChild size="small">
        <Link {...paths.member(member.id)} tabIndex={-1} aria-label={`View ${name}`}>
          View
        </Link>
      </Button>
      {!member.erasedAt && (
        <PermissionGate permission="members.ban">
          <ChangeButton
            size="small"
            variant={member.kycBanned ? 'default' : 'hover-danger'}
            aria-label={`${change} ${name}`}
            onClick={() => onChange(member)}
            className="min-w-15"
          >
            {change}
          </ChangeButton>
        </PermissionGate>
      )}
    </RowActions>
  )
}

/** The columns of the list (product 5.3); `onChange` opens the dialog to ban or unban. */
export const memberColumns = (onChange: ActionsProps['onChange']) => [
  column.display({
    id: 'user',
    header: 'User',
    cell: ({ row: { original: user } }) => (
      <Subject
        name={displayName(user)}
        initialFrom={user.legalFirstName || user.email}
        link={<Link {...paths.member(user.id)} />}
      >
        <Contact member={user} />
        {user.kycBanned && user.bannedReason && (
          <bdi className="line-clamp-2 wrap-anywhere rows:hidden">{user.bannedReason}</bdi>
        )}
      </Subject>
    ),
    meta: { min: '200px', narrow: 'subject' },
  }),
  column.display({
    id: 'kyc',
    header: 'KYC Status',
    cell: ({ row: { original: user } }) => <KycBadge status={user.kycStatus} />,
    meta: { width: '108px', grow: true, narrow: 'aside' },
  }),
  column.display({
    id: 'status',
    header: 'Status',
    cell: ({ row: { original: user } }) => <BanState member={user} />,
    meta: { min: '120px', narrow: 'aside' },
  }),
  column.accessor('createdAt', {
    header: 'Joined',
    cell: ({ getValue }) => <Instant value={getValue()} className="text-quiet" />,
    meta: { width: instantWidth(900), hideBelow: 800, narrow: 'hidden' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original: user } }) => <Actions member={user} onChange={onChange} />,
    meta: { width: '120px', align: 'right', narrow: 'hidden' },
  }),
]
