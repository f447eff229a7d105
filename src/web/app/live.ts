import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveList } from '#contract/live.ts'
import type { LiveEvent } from '#contract/schemas/live.ts'
import { fetchPassively } from '#web/api.ts'
import { settings } from '#web/lib/settings.ts'
import { currentAt, signInGraceMs, isOutdated, liveState } from './live-state.ts'
import type { LiveStream } from './live-stream.ts'
import { checkSession, signInNeeded } from './session.ts'
import { onTabMessage, postToTabs, type StreamState } from './tabs.ts'

/** The reads to refetch when a list changes. */
const readsByList: Record<LiveList, readonly string[]> = {
  users: ['/api/users'],
  analytics: ['/api/analytics'],
  orders: ['/api/orders', '/api/notices'],
  tokens: ['/api/tokens'],
  transactions: ['/api/transactions'],
  chainTransactions: ['/api/blockchain-transactions'],
  security: ['/api/security', '/api/notices'],
  logs: ['/api/admin/logs'],
  kyc: ['verifications', 'submission-history', 'step2-history', 'step3-history', 'step4-history', 'analytics'].map(
    (list) => `/api/kyc/${list}`,
  ),
  // The log itself is polled every 10 seconds (product 8.2).
  kycWebhooks: ['/api/kyc/webhook-stats', '/api/notices'],
  deliveries: ['/api/deliveries', '/api/endpoints'],
  chain: ['/api/chain'],
}

/** Collects changes for so long and refetches once. */
const burstMs = 400

const matchReads = (lists: ReadonlySet<LiveList>) => {
  const reads = [...lists].flatMap((list) => readsByList[list])
  return (key: unknown) => typeof key === 'string' && reads.some((read) => key === read || key.startsWith(`${read}/`))
}
const isDataRead = (key: unknown) => typeof key === 'string' && !key.startsWith('/api/auth/')

/** Refetches what is on the screen now, and the rest when it is shown next. */
function refetch(client: QueryClient, isMeant: (key: unknown) => boolean) {
  const predicate = ({ queryKey }: Query) => isMeant(queryKey[0])
  for (const query of client.getQueryCache().findAll({ type: 'active', predicate })) {
    if (!query.isDisabled()) fetchPassively(query.queryKey)
  }
  void client.invalidateQueries({ predicate, refetchType: 'active' })
}

/**
 * Follows the server's event stream until the returned function is called. One tab of the browser holds the stream and
 * passes its events to the others.
 */
export function followLive(client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const changed = new Set<LiveList>()
  let burstTimer: ReturnType<typeof setTimeout> | undefined
  let isLeading = false
  /** The connection that this tab followed last. */
  let knownStream: string | undefined

  function receive(event: LiveEvent) {
    currentAt.set(Date.now())
    if (event.type === 'resync') refetch(client, isDataRead)
    // The leading tab checks the session itself before it reconnects.
    if (event.type === 'end' && !isLeading) setTimeout(() => void checkSession(client), signInGraceMs)
    if (event.type !== 'changed') return
    for (const list of event.lists) changed.add(list)
    burstTimer ??= setTimeout(() => {
      burstTimer = undefined
      refetch(client, matchReads(changed))
      changed.clear()
    }, burstMs)
  }
  function applyState({ state, stream, build }: StreamState) {
    liveState.set(navigator.onLine ? state : 'offline')
    if (build && settings.build) isOutdated.set(build !== settings.build)
    if (state !== 'live') return
    currentAt.set(Date.now())
    // A new connection has missed what came between the two.
    if (knownStream !== undefined && knownStream !== stream) refetch(client, isDataRead)
    knownStream = stream
  }
  let live: LiveStream | undefined
  let noteHeartbeat: (() => void) | undefined
  const streamHandlers = {
    checkSession: () => checkSession(client),
    onState(state: StreamState) {
      applyState(state)
      postToTabs({ type: 'stream-state', state })
    },
    onEvent(event: LiveEvent) {
      receive(event)
      postToTabs({ type: 'stream-event', event })
    },
  }
  const leaderHandlers = {
    lead(term: AbortSignal) {
      isLeading = true
      term.addEventListener('abort', () => void (isLeading = false))
      live?.start(term)
    },
    askLeader: () => postToTabs({ type: 'stream-query' }),
    onMissed() {
      knownStream &&= 'missed'
      void checkSession(client)
    },
  }
  void Promise.all([import('./live-stream.ts'), import('./live-leader.ts')]).then(([stream, leader]) => {
    if (signal.aborted) return
    live = stream.createLiveStream(streamHandlers)
    noteHeartbeat = leader.electLeader(leaderHandlers, signal).heard
  })
  onTabMessage((message) => {
    if (message.type === 'stream-query' && isLeading && live) postToTabs({ type: 'stream-state', state: live.state() })
    if (isLeading || (message.type !== 'stream-state' && message.type !== 'stream-event')) return
    noteHeartbeat?.()
    if (message.type === 'stream-state') applyState(message.state)
    else receive(message.event)
  }, signal)
  postToTabs({ type: 'stream-query' })

  const stopWaiting = signInNeeded.subscribe(() => {
    if (isLeading && !signInNeeded.get()) live?.reconnect()
  })
  window.addEventListener('offline', () => liveState.set('offline'), { signal })
  window.addEventListener(
    'online',
    () => {
      liveState.set('reconnecting')
      postToTabs({ type: 'stream-query' })
    },
    { signal },
  )
  if (!navigator.onLine) liveState.set('offline')
  return () => {
    stop.abort()
    stopWaiting()
    clearTimeout(burstTimer)
    liveState.set('connecting')
  }
}
