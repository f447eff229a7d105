import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { EventEndpoint } from '#contract/schemas/messages.ts'
import type { Endpoint } from '#contract/schemas/endpoints.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Link } from '#web/link.tsx'
import { paths } from '#web/paths.ts'
import { CopyButton } from '#web/ui/copy-button.tsx'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { endpointsQuery, takesEvents, stateWords } from './endpoints.ts'
import { endpointQuery } from './queries.ts'

/** The state of the platform's endpoint, and what waits for it. */
export function EndpointNote() {
  const all = useQuery(endpointsQuery()).data?.endpoints
  return all && all.length > 1 ? <EndpointsNote endpoints={all} /> : <OneEndpointNote />
}

/** Of several endpoints, those that events do not reach now. */
function EndpointsNote({ endpoints }: { endpoints: readonly Endpoint[] }) {
  const unreached = endpoints.filter(({ state }) => state === 'failing' || state === 'paused')
  const open = endpoints.filter(takesEvents).length
  return (
    <Note tone={unreached.length > 0 ? 'warning' : 'info'}>
      Events go to {formatCount(open)} of{' '}
      <Link {...paths.kycWebhooks({ tab: 'endpoints' })} className="font-medium underline underline-offset-3">
        {formatCount(endpoints.length)} endpoints
      </Link>
      .
      {unreached.map(({ id, name, state, waiting }) => (
        <Fragment key={id}>
          {' '}
          <bdi className="font-medium">{name}</bdi> is {stateWords[state].toLowerCase()},{' '}
          {waiting === 1 ? '1 event waits' : `${formatCount(waiting)} events wait`}.
        </Fragment>
      ))}
    </Note>
  )
}

function OneEndpointNote() {
  const { data, dataUpdatedAt, error } = useQuery(endpointQuery())
  if (data) return <Note tone={getTone(data, dataUpdatedAt)}>{describeEndpoint(data)}</Note>
  if (error) return <Note tone="warning">The state of the endpoint could not be loaded: {describeError(error)}</Note>
  return <Skeleton className="h-9.5 w-full" />
}

/** A working endpoint takes an event at once. A longer wait means failed tries. */
const lateMs = 4000

/** `at`: when this was known, in milliseconds. */
function getTone({ host, pausedAt, oldestWaitingAt }: EventEndpoint, at: number) {
  if (pausedAt) return 'danger'
  return host !== null && oldestWaitingAt && at - Date.parse(oldestWaitingAt) > lateMs ? 'warning' : 'info'
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
