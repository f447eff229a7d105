import type { Query, QueryClient } from '@tanstack/react-query'
import { heartbeatSeconds, liveLists, liveRoutes, type LiveEvent, type LiveList } from '#contract/live.ts'
import { fetchPassively, urlOf } from '#web/api.ts'
import { liveState } from './live-state.ts'
import { checkSession } from './session.ts'

/** The reads that show something of a list. Nothing else is fetched again when it changes. */
const readsOf: Record<LiveList, readonly string[]> = {
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
  // The log itself is asked for every 10 seconds (SPEC section 7), and by nothing else.
  kycWebhooks: ['/api/kyc/webhook-stats', '/api/notices'],
  deliveries: ['/api/deliveries'],
  chain: ['/api/chain'],
}

/** Changes that come in a burst are fetched once. */
const burst = 400
const silence = heartbeatSeconds * 2 * 1000
const pauses = [1000, 2000, 5000, 10_000, 20_000]

const isReadOf = (lists: ReadonlySet<LiveList>) => {
  const reads = [...lists].flatMap((list) => readsOf[list])
  return (key: unknown) => typeof key === 'string' && reads.some((read) => key === read || key.startsWith(`${read}/`))
}
const isNoSession = (key: unknown) => typeof key === 'string' && !key.startsWith('/api/auth/')

/** Fetches again what is on the screen, now, and the rest when it is looked at next. */
function refetch(client: QueryClient, isMeant: (key: unknown) => boolean) {
  const predicate = ({ queryKey }: Query) => isMeant(queryKey[0])
  for (const query of client.getQueryCache().findAll({ type: 'active', predicate })) {
    if (!query.isDisabled()) fetchPassively(query.queryKey)
  }
  void client.invalidateQueries({ predicate, refetchType: 'active' })
}

/** Follows the server's event stream until the returned function is called. */
export function followLive(client: QueryClient): () => void {
  let source: EventSource | undefined
  let isStopped = false
  let hasBeenOpen = false
  let attempt = 0
  const changed = new Set<LiveList>()
  const timers: Record<'silence' | 'reopen' | 'burst', ReturnType<typeof setTimeout> | undefined> = {
    silence: undefined,
    reopen: undefined,
    burst: undefined,
  }

  function heard() {
    clearTimeout(timers.silence)
    timers.silence = setTimeout(lost, silence)
  }
  function close() {
    clearTimeout(timers.silence)
    clearTimeout(timers.reopen)
    source?.close()
    source = undefined
  }
  function lost() {
    close()
    if (isStopped) return
    liveState.set(navigator.onLine ? 'reconnecting' : 'offline')
    if (!navigator.onLine) return
    const pause = pauses[Math.min(attempt, pauses.length - 1)] ?? 0
    attempt += 1
    timers.reopen = setTimeout(() => void reopen(), pause * (0.75 + Math.random() / 2))
  }
  async function reopen() {
    // A refused stream says nothing but "error": the session's end looks like the network's.
    if ((await checkSession(client)) && !isStopped) open()
  }
  function open() {
    close()
    source = new EventSource(urlOf(liveRoutes.stream))
    heard()
    source.addEventListener('open', () => {
      heard()
      attempt = 0
      liveState.set('live')
      // A new stream knows nothing of what the former one missed.
      if (hasBeenOpen) refetch(client, isNoSession)
      hasBeenOpen = true
    })
    source.addEventListener('error', lost)
    source.addEventListener('heartbeat', heard)
    source.addEventListener('message', ({ data }: MessageEvent<string>) => {
      heard()
      receive(data)
    })
  }
  function receive(data: string) {
    const event = parseEvent(data)
    if (event?.type === 'resync') refetch(client, isNoSession)
    if (event?.type === 'end') {
      close()
      void reopen()
    }
    if (event?.type !== 'changed') return
    for (const list of event.lists) changed.add(list)
    timers.burst ??= setTimeout(() => {
      timers.burst = undefined
      refetch(client, isReadOf(changed))
      changed.clear()
    }, burst)
  }
  const online = () => {
    attempt = 0
    liveState.set('reconnecting')
    open()
  }
  const offline = () => lost()

  window.addEventListener('online', online)
  window.addEventListener('offline', offline)
  if (navigator.onLine) open()
  else liveState.set('offline')
  return () => {
    isStopped = true
    close()
    clearTimeout(timers.burst)
    window.removeEventListener('online', online)
    window.removeEventListener('offline', offline)
    liveState.set('connecting')
  }
}

function parseEvent(data: string): LiveEvent | undefined {
  try {
    const event = JSON.parse(data) as Partial<{ type: string; lists: unknown[] }>
    if (event.type === 'resync' || event.type === 'end') return { type: event.type }
    // A newer server may announce lists, or events, that this page does not know yet.
    const lists = liveLists.filter((list) => event.lists?.includes(list))
    return event.type === 'changed' ? { type: 'changed', lists } : undefined
  } catch {
    return undefined
  }
}
