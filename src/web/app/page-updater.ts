import type { Query, QueryClient } from '@tanstack/react-query'
import type { LiveList } from '#contract/live.ts'
import type { LiveEvent } from '#contract/schemas/live.ts'
import { settings } from '#web/lib/settings.ts'
import { currentAt, isOutdated, liveState } from './live-state.ts'
import type { StreamMessage, StreamState } from './tabs.ts'

/** The reads to refetch when a list changes. */
const readsByList: Record<LiveList, readonly string[]> = {
  users: ['/api/users', '/api/views'],
  analytics: ['/api/analytics'],
  orders: ['/api/orders', '/api/notices', '/api/views'],
  // The dashboard has the open money, a member's page the accounts that the member has paid from, an order the lines that may pay it.
  bank: ['/api/bank', '/api/notices', '/api/analytics', '/api/users', '/api/orders'],
  tokens: ['/api/tokens'],
  transactions: ['/api/transactions', '/api/views'],
  chainTransactions: ['/api/blockchain-transactions', '/api/views'],
  security: ['/api/security', '/api/notices', '/api/views'],
  // Sign-ins and ended sessions are in the log.
  logs: ['/api/admin/logs', '/api/account/sessions', '/api/views'],
  kyc: [
    ...['verifications', 'submission-history', 'step2-history', 'step3-history', 'step4-history', 'analytics'].map(
      (list) => `/api/kyc/${list}`,
    ),
    // Cases that need another look.
    '/api/notices',
    '/api/views',
  ],
  // The log itself is polled every 10 seconds (product 8.2).
  kycWebhooks: ['/api/kyc/webhook-stats', '/api/notices'],
  messages: ['/api/messages', '/api/endpoints'],
  chain: ['/api/chain'],
  // Whether there are others changes what the sidebar says.
  operators: ['/api/operators', '/api/account'],
  approvals: ['/api/approvals', '/api/approval-rules', '/api/notices'],
  bulk: ['/api/bulk', '/api/notices'],
  alerts: ['/api/account/alerts'],
  views: ['/api/views'],
  templates: ['/api/reason-templates'],
}

/** Collects changes for so long and refetches once. */
const burstMs = 400

/** Any change may stand in a member's or an order's activity, which Peek has too. */
const matchReads = (lists: ReadonlySet<LiveList>) => {
  const reads = [...lists].flatMap((list) => readsByList[list])
  return ([key, ...rest]: readonly unknown[]) =>
    typeof key === 'string' &&
    (rest.includes('activity') ||
      rest.includes('peek') ||
      reads.some((read) => key === read || key.startsWith(`${read}/`)))
}
const isDataRead = ([key]: readonly unknown[]) => typeof key === 'string' && !key.startsWith('/api/auth/')

/** Refetches what is on the screen now, and the rest when it is shown next. */
function refetch(client: QueryClient, isMeant: (key: readonly unknown[]) => boolean) {
  void client.invalidateQueries({ predicate: ({ queryKey }: Query) => isMeant(queryKey), refetchType: 'active' })
}

/** Keeps this page as current as the event stream says. Of many consoles each fetches at a moment of its own. */
export function createPageUpdater(client: QueryClient) {
  const changed = new Set<LiveList>()
  let burstTimer: ReturnType<typeof setTimeout> | undefined
  let resyncTimer: ReturnType<typeof setTimeout> | undefined
  let spreadMs = 0
  /** The connection that this tab followed last. */
  let knownStream: string | undefined

  function resync() {
    if (spreadMs === 0) return refetch(client, isDataRead)
    resyncTimer ??= setTimeout(() => {
      resyncTimer = undefined
      refetch(client, isDataRead)
    }, Math.random() * spreadMs)
  }
  function applyEvent(event: LiveEvent) {
    currentAt.set(Date.now())
    if (event.type === 'resync') resync()
    if (event.type !== 'changed') return
    for (const list of event.lists) changed.add(list)
    burstTimer ??= setTimeout(
      () => {
        burstTimer = undefined
        refetch(client, matchReads(changed))
        changed.clear()
      },
      burstMs + Math.random() * spreadMs,
    )
  }
  function applyState({ state, stream, build, spreadMs: told = 0 }: StreamState) {
    spreadMs = told
    liveState.set(navigator.onLine ? state : 'offline')
    if (build && settings.build) isOutdated.set(build !== settings.build)
    if (state !== 'live') return
    currentAt.set(Date.now())
    // A new connection has missed what came between the two.
    if (knownStream !== undefined && knownStream !== stream) resync()
    knownStream = stream
  }
  return {
    apply: (message: StreamMessage) =>
      message.type === 'stream-state' ? applyState(message.state) : applyEvent(message.event),
    /** Events were missed: the connection then counts as a new one. */
    noteGap() {
      knownStream &&= 'missed'
    },
    stop: () => {
      clearTimeout(burstTimer)
      clearTimeout(resyncTimer)
    },
  }
}
