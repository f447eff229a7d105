import { CircleCheck, CircleDashed, CirclePause, CircleX, Link2Off, type LucideIcon, PowerOff } from 'lucide-react'
import { type EndpointState, eventTypeLabels } from '#contract/endpoints.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { cn } from '#web/lib/cn.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { PermissionGate } from '#web/permission-gate.tsx'
import { createColumns } from '#web/table/columns.ts'
import { RowActions } from '#web/table/row-actions.tsx'
import { Badge, type Tone } from '#web/ui/badge.tsx'
import { ChangeButton } from '#web/ui/change-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { MissingValue } from '#web/ui/section.tsx'
import { SwitchButton, TestButton } from './endpoint-buttons.tsx'
import { stateWords } from './endpoints.ts'

const looks: Record<EndpointState, { tone: Tone; icon: LucideIcon }> = {
  healthy: { tone: 'success', icon: CircleCheck },
  failing: { tone: 'danger', icon: CircleX },
  paused: { tone: 'danger', icon: CirclePause },
  off: { tone: 'neutral', icon: PowerOff },
  unset: { tone: 'warning', icon: Link2Off },
  untried: { tone: 'info', icon: CircleDashed },
}

const EndpointBadge = ({ state }: { state: EndpointState }) => <Badge {...looks[state]}>{stateWords[state]}</Badge>

const column = createColumns<Endpoint>()
const secondLine = 'block truncate text-12 text-quiet'

export type DialogName = 'edit' | 'secret' | 'delete'

/** The columns of the endpoints. `onOpen` shows a dialog of one. */
export const endpointColumns = (onOpen: (dialog: DialogName, endpoint: Endpoint) => void) => [
  column.accessor('name', {
    header: 'Endpoint',
    cell: ({ row: { original } }) => (
      <div className="min-w-0 leading-4.5">
        <bdi className="block truncate font-medium" title={original.name}>
          {original.name}
        </bdi>
        <span className={secondLine} title={original.host ?? undefined}>
          {original.host ?? 'PLATFORM_WEBHOOK_URL is not set'}
          {original.isFromSettings && original.host !== null && ' (settings)'}
        </span>
      </div>
    ),
    meta: { min: '140px', narrow: 'subject' },
  }),
  column.accessor('state', {
    header: 'State',
    cell: ({ row: { original } }) => <State endpoint={original} />,
    meta: { width: '156px', narrow: 'aside' },
  }),
  column.accessor('types', {
    header: 'Events',
    cell: ({ row: { original } }) => <Types types={original.types} />,
    meta: { width: '88px', hideBelow: 880, narrow: 'hidden' },
  }),
  column.accessor('lastSuccessAt', {
    header: 'Last Success',
    cell: ({ getValue }) => {
      const at = getValue<string | null>()
      return at === null ? <MissingValue>Never</MissingValue> : <Instant value={at} className="text-quiet" />
    },
    meta: { width: '148px', hideBelow: 1100, narrow: 'hidden' },
  }),
  column.accessor('waiting', {
    header: 'Waiting',
    cell: ({ row: { original } }) => <Open endpoint={original} />,
    meta: { width: '76px', narrow: 'aside' },
  }),
  column.display({
    id: 'actions',
    header: 'Actions',
    cell: ({ row: { original } }) => <Actions endpoint={original} onOpen={onOpen} />,
    meta: { width: '324px', align: 'right', narrow: 'note' },
  }),
]

function State({ endpoint: { state, pausedAt, failingSince } }: { endpoint: Endpoint }) {
  const since = state === 'paused' ? pausedAt : state === 'failing' ? failingSince : null
  return (
    <div className="flex flex-col items-start leading-4.5 blocks:items-end">
      <EndpointBadge state={state} />
      {since && (
        <span className={secondLine}>
          since <Instant value={since} />
        </span>
      )}
    </div>
  )
}

function Types({ types }: { types: Endpoint['types'] }) {
  if (types === null) return 'All'
  const words = types.map((type) => eventTypeLabels[type]).join(', ')
  return (
    <span className="block truncate" title={words}>
      {types.length === 1 ? words : `${types.length} types`}
    </span>
  )
}

const link = 'hit-area link-subject'

/** What waits for it and what was given up, and the way to those messages. */
function Open({ endpoint: { id, name, waiting, failed } }: { endpoint: Endpoint }) {
  const place = (status: 'waiting' | 'failed') =>
    paths.kycWebhooks({ tab: 'deliveries', kind: 'event', status, endpoint: id })
  return (
    // Each of two lines is as high as what a press hits.
    <div className={cn('tabular-nums blocks:text-right', failed > 0 ? 'leading-6' : 'leading-4.5 blocks:leading-6')}>
      {waiting === 0 ? (
        <span className="text-quiet">
          None<span className="rows:hidden"> waiting</span>
        </span>
      ) : (
        <Link
          {...place('waiting')}
          aria-label={`${formatCount(waiting)} waiting for ${name}`}
          className={`inline-block ${link}`}
        >
          {formatCount(waiting)}
          <span className="rows:hidden"> waiting</span>
        </Link>
      )}
      {failed > 0 && (
        <Link
          {...place('failed')}
          className={`mt-px block text-12 leading-6 whitespace-nowrap text-danger-ink ${link}`}
        >
          {formatCount(failed)} given up
        </Link>
      )}
    </div>
  )
}

function Actions({ endpoint, onOpen }: { endpoint: Endpoint; onOpen: Parameters<typeof endpointColumns>[0] }) {
  const { name, isFromSettings } = endpoint
  const open = (dialog: DialogName) => ({
    size: 'small' as const,
    'aria-haspopup': 'dialog' as const,
    onClick: () => onOpen(dialog, endpoint),
  })
  return (
    <div className="pb-1 *:flex-wrap rows:pt-1">
      <RowActions>
        <PermissionGate permission="messages.send">
          <TestButton endpoint={endpoint} />
        </PermissionGate>
        <PermissionGate permission="endpoints.manage">
          <SwitchButton endpoint={endpoint} />
          <ChangeButton {...open('edit')} aria-label={`Edit ${name}`}>
            Edit
          </ChangeButton>
          {!isFromSettings && (
            <>
              <ChangeButton {...open('secret')} aria-label={`Secret of ${name}`}>
                Secret
              </ChangeButton>
              <ChangeButton {...open('delete')} variant="hover-danger" aria-label={`Delete ${name}`}>
                Delete
              </ChangeButton>
            </>
          )}
        </PermissionGate>
      </RowActions>
    </div>
  )
}
