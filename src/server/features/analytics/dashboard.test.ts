import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { trendDays } from '#contract/analytics.ts'
import { formatWait } from '#contract/kyc-reviews.ts'
import { orderStatuses } from '#contract/order-moves.ts'
import type {
  Analytics,
  KycWaits,
  MessageHealth,
  OrderPipeline,
  Registrations,
  Transfers,
  Trends,
  NoticeDetails,
} from '#contract/schemas/analytics.ts'
import { foldListCounts, makeChainTransaction, makeMember, makeOrder, makeWallet } from '#test/support/make.ts'
import { randomWrites } from '#test/support/random-writes.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const get = async <T>(url: string) => {
  const reply = await ada('GET', url)
  expect(reply.statusCode, `${url}: ${reply.body}`).toBe(200)
  return reply.json<T>()
}
const total = async (url: string) => (await get<{ total: number }>(`${url}&limit=1`)).total

const client = new pg.Client(server.connection)
await client.connect()
afterAll(() => client.end())

const recently = (days: number) => `now() - random() * interval '${days} days'`

/** What random writes may leave out: an order of each state and end, and transfers of the last days. */
async function makeSome() {
  const { id } = await makeMember(server)
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  for (const status of orderStatuses) await makeOrder(server, id, { status, currency: 'GBP' })
  for (const hours of [5, 30, 70]) await makeOrder(server, id, { expiresAt: inHours(hours) })
  const { address } = await makeWallet(server, id)
  for (let day = 0; day < 6; day++)
    for (const transactionType of ['deposit', 'withdrawal'] as const)
      await makeChainTransaction(server, address, {
        transactionType,
        tokenAddress: `0x${'ab'[day % 2]!.repeat(40)}`,
        createdAt: inHours(-24 * day),
      })
}

describe.each(['before', 'after'])('after random writes, %s their counts are folded', (when) => {
  beforeAll(async () => {
    if (when === 'after') return foldListCounts(server)
    const statements = randomWrites(20_261_125)
    for (let made = 0; made < 400; made++)
      for (const statement of statements.next().value) await client.query(statement)
    await client.query(`UPDATE orders SET expires_at = now() + (id % 6 - 1) * interval '13 hours',
      status = CASE WHEN id % 3 > 0 THEN 'waiting_payment' ELSE status END`)
    await client.query(`UPDATE kyc_verifications SET submitted_at = ${recently(9)},
      decided_at = CASE WHEN status <> 'pending' THEN now() - random() * interval '2 days' END`)
    await client.query(`UPDATE kyc_verifications SET submitted_at = now() - interval '5 days'
      WHERE id = (SELECT min(id) FROM kyc_verifications WHERE status = 'pending')`)
    await client.query(`UPDATE chain_transactions SET created_at = ${recently(20)}`)
    await client.query(`UPDATE members SET created_at = ${recently(20)},
      kyc_status = CASE WHEN kyc_submission_count > 0 THEN coalesce(kyc_status, 'submitted') ELSE kyc_status END`)
    await makeSome()
  })

  test('each state of the order pipeline has as many orders as its list (product 5.2)', async () => {
    const { states, expiring } = await get<OrderPipeline>('/api/analytics/orders')
    for (const { status, count, sums } of states) {
      expect(await total(`/api/orders?status=${status}`), status).toBe(count)
      const money = await server.sql(
        `SELECT currency, round(sum(investment_amount), 2)::text AS amount FROM orders WHERE status = $1 GROUP BY 1
         ORDER BY count(*) DESC, 1`,
        [status],
      )
      expect(sums).toEqual(money)
    }
    expect(states.every(({ count }) => count > 0)).toBe(true)
    for (const [window, count] of Object.entries(expiring))
      expect(await total(`/api/orders?expiring=${window}`), window).toBe(count)
    expect(Object.values(expiring).every((count) => count > 0)).toBe(true)
  })

  test('each wait of KYC has as many cases as its list, and all have those that wait (product 5.2)', async () => {
    const { bands, late, targetHours } = await get<KycWaits>('/api/analytics/kyc-waits')
    for (const band of bands)
      expect(await total(`/api/kyc/verifications?waiting=${formatWait(band)}`), formatWait(band)).toBe(band.count)
    expect(bands.reduce((sum, { count }) => sum + count, 0)).toBe(await total('/api/kyc/verifications?status=pending'))
    expect(late).toBe(await total(`/api/kyc/verifications?waiting=${targetHours}-`))
    expect(targetHours).toBe(48)
    expect(late).toBeGreaterThan(0)
  })

  test('each part of the KYC funnel has as many members as its list (product 5.2)', async () => {
    const { totalUsers, kycCounts } = await get<Analytics>('/api/analytics')
    const submitted = kycCounts.approved + kycCounts.pending + kycCounts.rejected
    expect(await total('/api/users?submission=any')).toBe(submitted)
    expect(await total('/api/users?submission=none')).toBe(totalUsers - submitted)
    expect(await total('/api/users?submission=approved')).toBe(kycCounts.approved)
    expect(await total('/api/users?submission=undecided')).toBe(kycCounts.pending)
    expect(await total('/api/users?submission=rejected')).toBe(kycCounts.rejected)
  })

  test('each day of the registrations has as many members as its list (product 5.1)', async () => {
    const zone = 'timeZone=Pacific/Auckland'
    const { points } = await get<Registrations>(`/api/analytics/registrations?${zone}`)
    for (const { start, registrations } of points)
      expect(await total(`/api/users?from=${start}&to=${start}&${zone}`), start).toBe(registrations)
    expect(points.some(({ registrations }) => registrations > 0)).toBe(true)
  })

  test.each(['7d', '3m'])('each figure of the transfers of %s is that of its list (product 5.2)', async (period) => {
    const zone = 'timeZone=America/Los_Angeles'
    const figures = await get<Transfers>(`/api/analytics/transfers?period=${period}&${zone}`)
    const { points, tokens } = figures
    const list = `/api/blockchain-transactions?status=completed&${zone}`
    for (const { start, end, deposits, withdrawals } of points) {
      expect(await total(`${list}&type=deposit&from=${start}&to=${end}`), start).toBe(deposits)
      expect(await total(`${list}&type=withdrawal&from=${start}&to=${end}`), start).toBe(withdrawals)
    }
    const all = `${list}&from=${points[0]!.start}&to=${points.at(-1)!.end}`
    for (const { tokenAddress, deposits } of tokens)
      expect(await total(`${all}&type=deposit&tokenAddress=${tokenAddress}`)).toBe(deposits.count)
    expect(figures.total.deposits).toBe(await total(`${all}&type=deposit`))
    expect(figures.total.deposits).toBeGreaterThan(0)
  })

  test('the amounts of transfers are added up by token alone (product 5.2)', async () => {
    const { tokens } = await get<Transfers>('/api/analytics/transfers?period=3m')
    for (const { tokenAddress, withdrawals } of tokens) {
      const [sum] = await server.sql<{ amount: string }>(
        `SELECT trim_scale(coalesce(sum(amount), 0))::text AS amount FROM chain_transactions
         WHERE token_address = $1 AND transaction_type = 'withdrawal' AND status = 'completed'`,
        [tokenAddress],
      )
      expect(withdrawals.amount).toBe(sum!.amount)
    }
    expect(tokens.length).toBeGreaterThan(1)
  })

  test('messages that wait and have failed are as many as in their lists (product 5.2)', async () => {
    const { events, cases } = await get<MessageHealth>('/api/analytics/messages')
    for (const [kind, { waiting, failed }] of [
      ['event', events],
      ['case', cases],
    ] as const) {
      expect(await total(`/api/messages?kind=${kind}&state=waiting`)).toBe(waiting)
      expect(await total(`/api/messages?kind=${kind}&state=failed`)).toBe(failed)
    }
    expect(events.waiting).toBeGreaterThan(0)
    expect(events.oldestSeconds).toBeGreaterThan(0)
  })

  test('the trend of KYC ends with those that wait now (product 5.2)', async () => {
    const { pendingKyc, members } = await get<Trends>('/api/analytics/trends?timeZone=Asia/Kathmandu')
    expect(pendingKyc).toHaveLength(trendDays)
    expect(pendingKyc!.at(-1)).toBe(await total('/api/kyc/verifications?status=pending'))
    const { points } = await get<Registrations>('/api/analytics/registrations?timeZone=Asia/Kathmandu')
    expect(members!.slice(-points.length)).toEqual(points.map(({ registrations }) => registrations))
  })
})

test('the money of orders that expire within a day is told by currency (product 5.1)', async () => {
  await server.sql(`UPDATE orders SET status = 'cancelled' WHERE status = 'waiting_payment'`)
  const { id } = await makeMember(server)
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString()
  for (const currency of ['EUR', 'GBP', 'EUR']) await makeOrder(server, id, { expiresAt, currency })
  const { expiringOrders } = await get<NoticeDetails>('/api/analytics/waiting')
  expect(expiringOrders).toEqual([
    { currency: 'EUR', amount: '3001.00' },
    { currency: 'GBP', amount: '1500.50' },
  ])
})

test('a year before has the same weekdays (product 5.1)', async () => {
  const { points, compare } = await get<Registrations>('/api/analytics/registrations?compare=year')
  expect(compare).toBe('year')
  const at = new Date(Date.parse(`${points[2]!.start}T12:00:00Z`) - 364 * 86_400_000).toISOString()
  await makeMember(server, { createdAt: at })
  const again = await get<Registrations>('/api/analytics/registrations?compare=year')
  expect(again.points[2]!.previous - points[2]!.previous).toBe(1)
})

test.each(['compare=month', 'period=1y', 'timeZone=Mars/Olympus'])('transfers refuse %s by name', async (query) => {
  const reply = await ada('GET', `/api/analytics/transfers?${query}`)
  expect(reply.statusCode).toBe(400)
  expect(reply.json().message).toContain(query.split('=')[0])
})
