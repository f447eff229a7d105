import { useQuery } from '@tanstack/react-query'
import type { EventEndpoint } from '#contract/deliveries.ts'
import { serverMessage } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { Instant } from '#web/ui/instant.tsx'
import { Note } from '#web/ui/note.tsx'
import { Skeleton } from '#web/ui/spinner.tsx'
import { endpointQuery } from './queries.ts'

/** Whether the platform hears of what happens here, and what waits for it. */
export function EndpointNote() {
  const { data, dataUpdatedAt, error } = useQuery(endpointQuery())
  if (data) return <Note tone={toneOf(data, dataUpdatedAt)}>{inWords(data)}</Note>
  if (error) return <Note tone="warning">The state of the endpoint could not be loaded: {serverMessage(error)}</Note>
  return <Skeleton className="h-9.5 w-full" />
}

/** An endpoint that works takes an event at once; what waits longer than that was tried in vain. */
const lateMs = 4000

/** `at`: when this was known, in milliseconds. */
function toneOf({ host, pausedAt, oldestWaitingAt }: EventEndpoint, at: number) {
  if (pausedAt) return 'danger'
  return host !== null && oldestWaitingAt && at - Date.parse(oldestWaitingAt) > lateMs ? 'warning' : 'info'
}

function inWords(endpoint: EventEndpoint) {
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
        <bdi>{host}</bdi> answered that it takes no more events. Resume with <code>npm run admin -- events resume</code>
        . <Waiting {...endpoint} />
      </>
    )
  return (
    <>
      Events go to <bdi className="font-medium">{host}</bdi>. <Waiting {...endpoint} />
    </>
  )
}

function Waiting({ waiting, oldestWaitingAt }: EventEndpoint) {
  if (waiting === 0) return 'Nothing waits.'
  return (
    <>
      {waiting === 1 ? '1 event waits' : `${formatCount(waiting)} events wait`}
      {oldestWaitingAt && (
        <>
          , the oldest since <Instant value={oldestWaitingAt} />
        </>
      )}
      .
    </>
  )
}
