import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { accountSecurityRoutes } from '#contract/account-security.ts'
import { activityRoutes } from '#contract/activity.ts'
import type { LiveList } from '#contract/live.ts'
import { noticeRoutes } from '#contract/notices.ts'
import { orderRoutes } from '#contract/orders.ts'
import { tokenRoutes } from '#contract/tokens.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { memberRoutes } from '#contract/members.ts'
import { buildQuery } from '#web/api.ts'
import { createPageUpdater } from './page-updater.ts'

vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

const query = { page: 1, limit: 50 }
const reads = {
  users: buildQuery(memberRoutes.list, { query }),
  orders: buildQuery(orderRoutes.list, { query }),
  tokens: buildQuery(tokenRoutes.list, { params: { kind: 'earning' } }),
  transactions: buildQuery(transactionRoutes.list, { query }),
  monitor: buildQuery(transactionRoutes.monitor, { query }),
  sessions: buildQuery(accountSecurityRoutes.sessions),
  notices: buildQuery(noticeRoutes.list),
  activity: buildQuery(activityRoutes.member, { params: { id: 'm-1' }, query: {} }),
}

const refetches: [LiveList, string[]][] = [
  ['users', ['users', 'activity']],
  ['orders', ['orders', 'notices', 'activity']],
  ['tokens', ['tokens', 'activity']],
  ['transactions', ['transactions', 'activity']],
  ['chainTransactions', ['monitor', 'activity']],
  ['logs', ['sessions', 'activity']],
  ['security', ['notices', 'activity']],
]

/** Shows all of the reads, and names those that are fetched from now on. */
async function watchReads() {
  const client = new QueryClient()
  const fetched: string[] = []
  const ends = Object.entries(reads).map(([name, { queryKey }]) => {
    const queryFn = () => fetched.push(name)
    return new QueryObserver(client, { queryKey: [...queryKey], queryFn, staleTime: Infinity }).subscribe(() => {})
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(fetched).toEqual(Object.keys(reads))
  fetched.length = 0
  const end = () => {
    for (const each of ends) each()
    client.clear()
  }
  return { client, fetched, end }
}

test.each(refetches)(
  'a change of %s is fetched without a reload, and nothing else (product 3.4)',
  async (list, names) => {
    const { client, fetched, end } = await watchReads()
    const updater = createPageUpdater(client)
    for (const _ of [1, 2]) updater.apply({ type: 'stream-event', event: { type: 'changed', lists: [list] } })
    await vi.advanceTimersByTimeAsync(400)
    expect(fetched).toEqual(names)
    end()
  },
)

test('where many consoles are open, each fetches at a moment of its own (product 3.4)', async () => {
  const { client, fetched, end } = await watchReads()
  const updater = createPageUpdater(client)
  const random = vi.spyOn(Math, 'random').mockReturnValue(0.5)
  const connect = (stream: string) =>
    updater.apply({ type: 'stream-state', state: { state: 'live', stream, spreadMs: 2000 } })
  connect('first')
  updater.apply({ type: 'stream-event', event: { type: 'changed', lists: ['users'] } })
  await vi.advanceTimersByTimeAsync(1399)
  expect(fetched).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(fetched.splice(0)).toEqual(['users', 'activity'])

  // Another connection, and what it has missed.
  connect('second')
  updater.apply({ type: 'stream-event', event: { type: 'resync' } })
  await vi.advanceTimersByTimeAsync(999)
  expect(fetched).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(fetched.splice(0)).toEqual(Object.keys(reads))

  updater.apply({ type: 'stream-event', event: { type: 'resync' } })
  updater.stop()
  await vi.advanceTimersByTimeAsync(2000)
  expect(fetched).toEqual([])
  end()
  random.mockRestore()
})
