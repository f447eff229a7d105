import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert, Info, TriangleAlert } from 'lucide-react'
import { Fragment } from 'react'
import type { EventEndpoint } from '#contract/schemas/messages.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { type ChipState, StateChip } from '#web/ui/state-chip.tsx'
import { endpointsQuery, takesEvents, stateWords } from './endpoints.ts'
import { endpointQuery } from './queries.ts'

const name = 'Endpoint for events'

/** The state of the platform's endpoint, and what waits for it. */
export function EndpointChip() {
  const all = useQuery(endpointsQuery()).data?.endpoints
  return all && all.length > 1 ? <EndpointsChip endpoints={all} /> : <OneEndpointChip />
}

/** Of several endpoints, those that events do not reach now. */
function EndpointsChip({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const unreached = endpoints.filter(({ state }) => state === 'failing' || state === 'paused')
  const open = endpoints.filter(takesEvents).length
  const all = `${formatCount(endpoints.length)} endpoints`
  const state: ChipState =
    unreached.length > 0
      ? { tone: 'warning', icon: TriangleAlert, label: `${formatCount(unreached.length)} of ${all} not reached` }
      : { tone: 'info', icon: Info, label: `Events to ${formatCount(open)} of ${all}` }
  return (
    <StateChip label={name} state={state}>
      Events go to {formatCount(open)} of{' '}
      <Link {...paths.kycWebhooks({ tab: 'endpoints' })} className="font-medium underline underline-offset-3">
        {all}
      </Link>
      .
      {unreached.map(({ id, name, state, waiting }) => (
        <Fragment key={id}>
          {' '}
          <bdi className="font-medium">{name}</bdi> is {stateWords[state].toLowerCase()},{' '}
          {waiting === 1 ? '1 event waits' : `${formatCount(waiting)} events wait`}.
        </Fragment>
      ))}
    </StateChip>
  )
}

function OneEndpointChip() {
  const { data, dataUpdatedAt, error, isFetching, refetch } = useQuery(endpointQuery())
  const failure = error && (
    <LoadFailure size="row" what="The state of the endpoint" query={{ error, isFetching, refetch }} />
  )
  return (
    <StateChip label={name} state={data && judge(data, dataUpdatedAt)} failure={failure}>
      {data && describeEndpoint(data)}
    </StateChip>
  )
}

/** A working endpoint takes an event at once. A longer wait means failed tries. */
const lateMs = 4000

/** `at`: when this was known, in milliseconds. */
function judge({ host, pausedAt, oldestWaitingAt }: EventEndpoint, at: number): ChipState {
  if (pausedAt) return { tone: 'danger', icon: CircleAlert, label: 'Events paused' }
  if (host === null) return { tone: 'info', icon: Info, label: 'No endpoint for events' }
  return oldestWaitingAt && at - Date.parse(oldestWaitingAt) > lateMs
    ? { tone: 'warning', icon: TriangleAlert, label: 'Events wait' }
    : { tone: 'success', icon: Check, label: 'Events go out' }
}

const resumeCommand = 'npm run admin -- events resume'

function describeEndpoint(endpoint: EventEndpoint) {
  const { host, pausedAt } = endpoint
  if (host === null)
    return (
      <>
        <b>No endpoint for events.</b> Set PLATFORM_WEBHOOK_URL and they go to the platform. <Waiting {...endpoint} />
      </>
    )
  if (pausedAt)
    return (
      <>
        <b>
          Paused since <Instant value={pausedAt} />:
        </b>{' '}
        <bdi>{host}</bdi> answered that it takes no more events. <Waiting {...endpoint} /> Resume with{' '}
        <code>{resumeCommand}</code>
        <span className="-my-1 ml-0.5 inline-flex align-middle">
          <CopyButton text={resumeCommand} label="Copy command" />
        </span>
      </>
    )
  return (
    <>
      Events go to <bdi className="font-medium">{host}</bdi>. <Waiting {...endpoint} />
    </>
  )
}

const Waiting = ({ waiting, oldestWaitingAt, failed }: EventEndpoint) => (
  <>
    {waiting === 0 ? 'Nothing waiting' : <Open waiting={waiting} since={oldestWaitingAt} />}
    {failed > 0 && (
      <>
        {', '}
        <Link
          {...paths.kycWebhooks({ tab: 'deliveries', kind: 'event', status: 'failed' })}
          className="font-medium underline underline-offset-3"
        >
          {formatCount(failed)} given up
        </Link>
      </>
    )}
    .
  </>
)

function Open({ waiting, since }: { waiting: number; since: string | null }) {
  return (
    <>
      {waiting === 1 ? '1 event waits' : `${formatCount(waiting)} events wait`}
      {since && (
        <>
          , the oldest since <Instant value={since} />
        </>
      )}
    </>
  )
}
