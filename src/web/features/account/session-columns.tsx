import {
  Laptop,
  MonitorSmartphone,
  ScreenShare,
  Smartphone,
  Tablet,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react'
import type { DeviceKind } from '#contract/account-security.ts'
import type { AccountSession } from '#contract/schemas/account.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { findSessionDays } from './session-days.ts'

const deviceIcons: Record<DeviceKind, LucideIcon> = {
  computer: Laptop,
  phone: Smartphone,
  tablet: Tablet,
  program: SquareTerminal,
  unknown: MonitorSmartphone,
}

function Device({ session }: { session: AccountSession }) {
  const Icon = deviceIcons[session.deviceKind]
  return (
    <span className="flex min-w-0 items-center gap-2.5">
      <Icon aria-hidden strokeWidth={1.75} className="size-4 shrink-0 text-quiet" />
      <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 truncate font-medium" title={session.userAgent}>
          <bdi>{session.device}</bdi>
        </span>
        {session.isCurrent && (
          <Badge tone="success" icon={ScreenShare}>
            This session
          </Badge>
        )}
      </span>
    </span>
  )
}

const column = createColumns<AccountSession>()

/** What the operator did on the days of a session, in the log. */
const ActionsLink = ({ session, username }: { session: AccountSession; username: string }) => (
  <PermissionGate permission="audit.view">
    <Link
      {...paths.security({ tab: 'actions', search: username, ...findSessionDays(session) })}
      className="hit-line block w-fit text-12 link-reference blocks:ml-auto"
    >
      Admin Actions<span className="sr-only"> since this sign-in with {session.device}</span>
    </Link>
  </PermissionGate>
)

/** The columns of the sessions of an operator. `onEnd` asks whether to end one. */
export const sessionColumns = (username: string, onEnd: (session: AccountSession) => void) => [
  column.accessor('device', {
    header: 'Device',
    cell: ({ row: { original } }) => <Device session={original} />,
    meta: { min: '180px', narrow: 'full' },
  }),
  column.accessor('ipAddress', {
    header: 'IP Address',
    cell: ({ getValue }) => (
      <span title={getValue()} className="hash-text block truncate">
        {getValue()}
      </span>
    ),
    meta: { width: '116px', cut: true, narrow: 'labelled' },
  }),
  column.accessor('createdAt', {
    header: 'Signed In',
    cell: ({ getValue, row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <Instant value={getValue()} className="text-quiet" />
        <ActionsLink session={original} username={username} />
      </div>
    ),
    meta: { width: instantWidth(800), narrow: 'labelled' },
  }),
  column.accessor('lastActiveAt', {
    header: 'Last Active',
    cell: ({ row: { original } }) =>
      original.isCurrent ? 'Now' : <Instant value={original.lastActiveAt} className="text-quiet" />,
    meta: { width: instantWidth(800), narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) =>
      original.isCurrent ? null : (
        <RowActions>
          <ChangeButton
            size="small"
            variant="hover-danger"
            aria-haspopup="dialog"
            aria-label={`End session of ${original.device}`}
            onClick={() => onEnd(original)}
          >
            End
          </ChangeButton>
        </RowActions>
      ),
    meta: { width: '56px', align: 'right', narrow: 'full' },
  }),
]
