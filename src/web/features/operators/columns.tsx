import { CircleCheck, CircleDashed, CircleSlash, type LucideIcon } from 'lucide-react'
import type { OperatorState } from '#contract/operators.ts'
import { roleLabels } from '#contract/permissions.ts'
import type { Operator } from '#contract/schemas/operators.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns, instantWidth } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { describeFactors, stateWords } from './words.ts'

const column = createColumns<Operator>()

export type DialogName = 'role' | 'disable' | 'enable' | 'resetFactors' | 'sessions' | 'invitation'

const looks: Record<OperatorState, { tone: Tone; icon: LucideIcon }> = {
  invited: { tone: 'info', icon: CircleDashed },
  active: { tone: 'success', icon: CircleCheck },
  disabled: { tone: 'neutral', icon: CircleSlash },
}

/** The columns of the operators. `onOpen` shows a dialog of one; `ownId` is whose console it is. */
export const operatorColumns = (
  ownId: string | undefined,
  onOpen: (dialog: DialogName, operator: Operator) => void,
) => [
  column.accessor('username', {
    header: 'Operator',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5 rows:py-1">
        <bdi className="block w-fit max-w-full truncate font-medium" title={original.username}>
          {original.username}
        </bdi>
        {original.id === ownId && <span className="block text-12 text-quiet">You</span>}
        {original.invitedBy !== null && <Inviter operator={original} />}
        {original.state !== 'invited' && <ActionsLink username={original.username} />}
      </div>
    ),
    meta: { min: '140px' },
  }),
  column.accessor('role', {
    header: 'Role',
    cell: ({ getValue }) => roleLabels[getValue()],
    meta: { width: '96px', narrow: 'labelled' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ row: { original } }) => <State operator={original} />,
    meta: { width: '168px', narrow: 'labelled' },
  }),
  column.accessor('factors', {
    header: 'Factors',
    cell: ({ getValue }) => {
      const factors = describeFactors(getValue())
      return factors === null ? <MissingValue>None</MissingValue> : factors
    },
    meta: { width: '128px', hideBelow: 880, narrow: 'labelled' },
  }),
  column.accessor('lastSignInAt', {
    header: 'Last Sign-in',
    cell: ({ getValue }) => {
      const at = getValue<string | null>()
      return at === null ? <MissingValue>Never</MissingValue> : <Instant value={at} className="text-quiet" />
    },
    meta: { width: instantWidth(960), hideBelow: 740, narrow: 'labelled' },
  }),
  column.accessor('sessions', {
    header: 'Sessions',
    cell: ({ getValue }) => (getValue() === 0 ? <MissingValue>None</MissingValue> : formatCount(getValue())),
    meta: { width: '72px', hideBelow: 680, narrow: 'labelled' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => (original.id === ownId ? null : <Actions operator={original} onOpen={onOpen} />),
    meta: { width: '300px', align: 'right', narrow: 'full' },
  }),
]

/** What an operator did, in the log. An invited operator has done nothing yet. */
const ActionsLink = ({ username }: Pick<Operator, 'username'>) => (
  <PermissionGate permission="audit.view">
    <Link
      {...paths.security({ tab: 'actions', search: username })}
      className="hit-line block w-fit text-12 link-reference"
    >
      Admin Actions<span className="sr-only"> of {username}</span>
    </Link>
  </PermissionGate>
)

/** Who invited an operator: the first question after an account was misused. */
const Inviter = ({ operator: { invitedBy, invitationApprovedBy } }: { operator: Operator }) => (
  <span
    className="line-clamp-2 text-12 wrap-anywhere text-quiet"
    title={invitationApprovedBy === null ? (invitedBy ?? '') : `${invitedBy}, approved by ${invitationApprovedBy}`}
  >
    Invited by <bdi>{invitedBy}</bdi>
    {invitationApprovedBy !== null && (
      <>
        , approved by <bdi>{invitationApprovedBy}</bdi>
      </>
    )}
  </span>
)

function State({ operator: { state, invitedUntil } }: { operator: Operator }) {
  return (
    <div className="flex flex-col items-start leading-4.5 blocks:items-end">
      <Badge {...looks[state]}>{stateWords[state]}</Badge>
      {state === 'invited' && (
        <span className="text-12 text-quiet">
          {invitedUntil ? (
            <>
              until <Instant value={invitedUntil} />
            </>
          ) : (
            'the link has ended'
          )}
        </span>
      )}
    </div>
  )
}

interface ActionsProps {
  operator: Operator
  onOpen: (dialog: DialogName, operator: Operator) => void
}

/** What another operator may do with this one. Nobody changes or disables themselves. */
function Actions({ operator, onOpen }: ActionsProps) {
  const { username, state, sessions, factors } = operator
  const open = (dialog: DialogName) => ({
    size: 'small' as const,
    'aria-haspopup': 'dialog' as const,
    onClick: () => onOpen(dialog, operator),
  })
  if (state === 'disabled')
    return (
      <RowActions>
        <ChangeButton {...open('enable')} aria-label={`Enable ${username}`}>
          Enable
        </ChangeButton>
      </RowActions>
    )
  return (
    <div className="*:flex-wrap rows:py-1">
      <RowActions>
        {state === 'invited' && (
          <ChangeButton {...open('invitation')} aria-label={`New Link for ${username}`}>
            New Link
          </ChangeButton>
        )}
        <ChangeButton {...open('role')} aria-label={`Change Role of ${username}`}>
          Change Role
        </ChangeButton>
        {factors.passkeys + factors.apps > 0 && (
          <ChangeButton {...open('resetFactors')} aria-label={`Reset Factors of ${username}`}>
            Reset Factors
          </ChangeButton>
        )}
        {sessions > 0 && (
          <ChangeButton {...open('sessions')} aria-label={`End Sessions of ${username}`}>
            End Sessions
          </ChangeButton>
        )}
        <ChangeButton {...open('disable')} variant="hover-danger" aria-label={`Disable ${username}`}>
          Disable
        </ChangeButton>
      </RowActions>
    </div>
  )
}
