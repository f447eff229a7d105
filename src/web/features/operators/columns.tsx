import { CircleCheck, CircleDashed, CircleSlash, Ellipsis, KeyRound, LifeBuoy, Smartphone } from 'lucide-react'
import type { LucideIcon } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { useRef } from 'react'
import type { OperatorState } from '#contract/operators.ts'
import { roleLabels } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { describeAction } from '#web/activity/action-words.ts'
import { formatInstant } from '#web/lib/dates.ts'
import { formatCount } from '#web/lib/money.ts'
import { offlineReason, useIsOffline } from '#web/lib/offline.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { TimeLeft } from '#web/ui/time-left.tsx'
import { usePopover } from '#web/ui/use-popover.ts'
import { describeFactors, stateWords } from './words.ts'

const column = createColumns<Operator>()

export type DialogName = 'role' | 'disable' | 'enable' | 'resetFactors' | 'sessions' | 'invitation'
/** Shows a dialog of an operator. */
type OnOpen = (dialog: DialogName, operator: Operator) => void

const looks: Record<OperatorState, { tone: Tone; icon: LucideIcon }> = {
  invited: { tone: 'info', icon: CircleDashed },
  active: { tone: 'success', icon: CircleCheck },
  disabled: { tone: 'neutral', icon: CircleSlash },
}

/** The columns of the operators. `ownId` is whose console it is. */
export const operatorColumns = (ownId: string | undefined, onOpen: OnOpen) => [
  column.accessor('username', {
    header: 'Operator',
    cell: ({ row: { original } }) => (
      <div className="flex min-w-0 items-center gap-2.5">
        <Avatar name={original.username} />
        <div className="min-w-0 leading-4.5">
          <bdi className="block truncate font-medium" title={original.username}>
            {original.username}
          </bdi>
          {original.id === ownId ? (
            <span className="block text-12 text-quiet">You</span>
          ) : (
            original.invitedBy !== null && <Inviter operator={original} />
          )}
        </div>
      </div>
    ),
    meta: { min: '160px', narrow: 'subject' },
  }),
  column.accessor('role', {
    header: 'Role',
    cell: ({ getValue }) => roleLabels[getValue()],
    meta: { width: '88px', narrow: 'aside' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ row: { original } }) => <State operator={original} />,
    meta: { width: '96px', narrow: 'aside' },
  }),
  column.accessor('factors', {
    header: 'Factors',
    cell: ({ getValue }) => <Factors factors={getValue()} />,
    meta: { width: '104px', hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('lastSignInAt', {
    header: 'Last Sign-in',
    cell: ({ getValue }) => {
      const at = getValue<string | null>()
      return at === null ? <MissingValue>Never</MissingValue> : <SignInTime at={at} />
    },
    meta: { width: instantWidth(960), hideBelow: 740, narrow: 'note' },
  }),
  column.accessor('lastAction', {
    header: 'Last Action',
    cell: ({ row: { original } }) => <LastAction operator={original} />,
    meta: { min: '128px', hideBelow: 680, narrow: 'hidden' },
  }),
  column.accessor('sessions', {
    header: 'Sessions',
    cell: ({ row: { original } }) => <Sessions operator={original} isOwn={original.id === ownId} onOpen={onOpen} />,
    meta: { width: '64px', hideBelow: 680, narrow: 'hidden' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (original.id === ownId ? null : <Actions operator={original} onOpen={onOpen} />),
    meta: { width: '52px', align: 'right', narrow: 'button' },
  }),
]

const SignInTime = ({ at }: { at: string }) => (
  <span className="text-quiet blocks:text-12">
    <span className="rows:hidden">Signed in </span>
    <Instant value={at} />
  </span>
)

/** Who invited an operator: the first question after an account was misused. */
function Inviter({ operator: { invitedBy, invitationApprovedBy } }: { operator: Operator }) {
  const approval = invitationApprovedBy === null ? '' : `, approved by ${invitationApprovedBy}`
  return (
    <span className="block truncate text-12 text-quiet" title={`Invited by ${invitedBy}${approval}`}>
      Invited by <bdi>{invitedBy}</bdi>
      <bdi>{approval}</bdi>
    </span>
  )
}

/** An invitation says how long its link works. */
const State = ({ operator: { state, invitedUntil } }: { operator: Operator }) => (
  <div className="flex flex-col items-start leading-4 blocks:items-end">
    <Badge {...looks[state]}>{stateWords[state]}</Badge>
    {state === 'invited' && (
      <span
        className="text-12 whitespace-nowrap text-quiet"
        title={invitedUntil ? formatInstant(invitedUntil) : undefined}
      >
        {invitedUntil ? (
          <>
            ends <TimeLeft until={invitedUntil} />
          </>
        ) : (
          'the link has ended'
        )}
      </span>
    )}
  </div>
)

/** How many passkeys, apps and recovery codes, in words for who does not see the icons. */
function Factors({ factors }: Pick<Operator, 'factors'>) {
  const words = describeFactors(factors)
  if (words === null) return <MissingValue>None</MissingValue>
  const counts = [
    [KeyRound, factors.passkeys],
    [Smartphone, factors.apps],
    [LifeBuoy, factors.recoveryCodes],
  ] as const
  return (
    <span title={words} className="flex gap-2.5 tabular-nums blocks:justify-end">
      <span className="sr-only">{words}</span>
      {counts.map(
        ([Icon, count], at) =>
          count > 0 && (
            <span key={at} aria-hidden className="flex items-center gap-1">
              <Icon className="size-4 text-quiet" strokeWidth={1.75} />
              {count}
            </span>
          ),
      )}
    </span>
  )
}

/** What the operator did last, which leads to all of it in the log. */
function LastAction({ operator: { username, lastAction } }: { operator: Operator }) {
  if (!lastAction) return <MissingValue>None</MissingValue>
  const words = describeAction(lastAction.action)
  return (
    <div className="min-w-0 leading-4.5">
      <Link
        {...paths.security({ tab: 'actions', search: username })}
        title={words}
        aria-label={`${words}, Admin Actions of ${username}`}
        className="hit-line block w-fit max-w-full truncate link-reference blocks:ml-auto"
      >
        {words}
      </Link>
      <Instant value={lastAction.at} className="block text-12 text-quiet" />
    </div>
  )
}

interface SessionsProps {
  operator: Operator
  isOwn: boolean
  onOpen: OnOpen
}

/** The own sessions are on the own account's screen; those of others can be ended. */
function Sessions({ operator, operator: { sessions, username }, isOwn, onOpen }: SessionsProps) {
  const count = formatCount(sessions)
  const look = 'hit-area link-reference tabular-nums'
  if (sessions === 0) return <MissingValue>None</MissingValue>
  if (isOwn)
    return (
      <Link {...paths.account()} aria-label={`${count} of your sessions`} className={look}>
        {count}
      </Link>
    )
  return (
    <button
      type="button"
      aria-label={`${count}, End Sessions of ${username}`}
      aria-haspopup="dialog"
      className={look}
      onClick={() => onOpen('sessions', operator)}
    >
      {count}
    </button>
  )
}

/** What another operator may do with this one. Nobody changes or disables themselves. */
function listActions({ state, sessions, factors }: Operator): [dialog: DialogName, words: string][] {
  if (state === 'disabled') return [['enable', 'Enable']]
  const actions: ([DialogName, string] | false)[] = [
    state === 'invited' && ['invitation', 'New Link'],
    ['role', 'Change Role'],
    factors.passkeys + factors.apps > 0 && ['resetFactors', 'Reset Factors'],
    sessions > 0 && ['sessions', 'End Sessions'],
    ['disable', 'Disable'],
  ]
  return actions.filter((action) => action !== false)
}

function Actions({ operator, onOpen }: { operator: Operator; onOpen: OnOpen }) {
  const [isOpen, setOpen] = usePopover()
  const isOffline = useIsOffline()
  const chosen = useRef<DialogName>(undefined)
  // The dialog opens once the focus is back on the button, which gets it again after the dialog.
  const openChosen = () => {
    if (chosen.current) onOpen(chosen.current, operator)
    chosen.current = undefined
  }
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger asChild>
        <IconButton
          label={`Actions of ${operator.username}`}
          disabled={isOffline}
          className="rows:-mr-2 blocks:-mr-1.5 blocks:size-11"
          {...(isOffline && { title: offlineReason })}
        >
          <Ellipsis aria-hidden />
        </IconButton>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="end"
          sideOffset={4}
          collisionPadding={8}
          className="popover w-44 p-1"
          onCloseAutoFocus={openChosen}
        >
          {listActions(operator).map(([dialog, words]) => (
            <DropdownMenu.Item
              key={dialog}
              onSelect={() => (chosen.current = dialog)}
              className="flex h-8 items-center rounded-m px-2 text-13 outline-none select-none data-highlighted:bg-hover max-md:h-10"
            >
              {words}
            </DropdownMenu.Item>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
