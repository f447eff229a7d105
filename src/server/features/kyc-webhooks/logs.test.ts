import { expect, test } from 'vitest'
import type { WebhookLog } from '#contract/schemas/kyc-webhooks.ts'
import { passiveHeader } from '#contract/live.ts'
import { messageAttempts, messages } from '#server/db/tables/messages.ts'
import { signCase } from '#test/support/case-tries.ts'
import { foldListCounts, makeAttempt, makeMember } from '#test/support/make.ts'
import { startProviderConsole } from '#test/support/provider-console.ts'
import { countUnreached } from './logs.ts'

const { server } = await startProviderConsole()
const ada = server.as('ada')
const logs = async (query = '') =>
  (await ada('GET', `/api/kyc/webhook-logs?${query}`)).json<{ logs: WebhookLog[]; total: number }>()
const stats = async () => (await ada('GET', '/api/kyc/webhook-stats')).json()

const empty = { stats: await stats(), logs: await logs(), unreached: await logs('unreached=24h') }

test('an empty platform has no attempts and a rate of 0', () => {
  const none = { totalAttempts: 0, successfulAttempts: 0, failedAttempts: 0, successRate: 0, recentFailures: [] }
  expect(empty.stats).toEqual(none)
  expect(empty.logs).toEqual({ logs: [], total: 0, totalExact: true, page: 1, limit: 50 })
  expect(empty.unreached.total).toBe(0)
})

const hour = 3_600_000
const ago = (hours: number) => new Date(Date.now() - hours * hour).toISOString()

/** A case and its tries, `[hours ago, success]`, oldest first. */
async function history(state: 'waiting' | 'delivered' | 'failed', tries: [number, boolean][]) {
  const { db } = server.services.database
  const made = await makeMember(server)
  await makeAttempt(server, made.id)
  const last = tries.at(-1)!
  const [sent] = await db
    .insert(messages)
    .values({
      channel: 'kyc',
      direction: 'out',
      type: 'kyc.submitted',
      entityType: 'member',
      entityId: made.id,
      attemptNumber: 1,
      mac: signCase(made.id),
      state,
      tries: tries.length,
      nextTryAt: state === 'waiting' ? ago(-1) : null,
      lastFailedAt: last[1] ? null : ago(last[0]),
    })
    .returning({ id: messages.id })
  await db
    .insert(messageAttempts)
    .values(
      tries.map(([hours, success], n) => ({
        messageId: sent!.id,
        channel: 'kyc' as const,
        tryNumber: n + 1,
        success,
        errorMessage: success ? null : 'HTTP 500',
        httpStatus: success ? 202 : 500,
        latencyMs: 100,
        createdAt: ago(hours),
      })),
    )
  return made.id
}

const reached = await history('delivered', [
  [3, false],
  [2, true],
])
const givenUp = await history('failed', [
  [20, false],
  [15, false],
])
const waiting = await history('waiting', [[1, false]])
const longAgo = await history('failed', [[25, false]])

test('attempts come newest first with an exact total, folded or not (product 5.11, 14)', async () => {
  const order = [waiting, reached, reached, givenUp, givenUp, longAgo]
  for (const isFolded of [false, true]) {
    if (isFolded) await foldListCounts(server)
    const all = await logs()
    expect(all.logs.map(({ userId }) => userId)).toEqual(order)
    expect(all.total).toBe(6)
    expect((await logs('limit=2&page=2')).logs.map(({ userId }) => userId)).toEqual(order.slice(2, 4))
    expect(await logs('limit=2&page=9')).toMatchObject({ logs: [], total: 6 })
    expect(await logs('status=success')).toMatchObject({ total: 1, logs: [{ userId: reached }] })
    expect(await logs('status=failed&limit=1')).toMatchObject({ total: 5, logs: [{ userId: waiting }] })
    expect(await stats()).toMatchObject({
      totalAttempts: 6,
      successfulAttempts: 1,
      failedAttempts: 5,
      successRate: 16.7,
      recentFailures: [waiting, reached, givenUp, givenUp, longAgo].map((userId) => ({ userId, success: false })),
    })
  }
})

test('retry is offered on the member’s latest attempt alone, where that failed (product 7.7)', async () => {
  const offered = (await logs()).logs.filter(({ canRetry }) => canRetry)
  expect(offered.map(({ userId, tryNumber }) => [userId, tryNumber])).toEqual([
    [waiting, 1],
    [givenUp, 2],
    [longAgo, 1],
  ])
  const planned = (await logs()).logs.filter(({ nextTryAt }) => nextTryAt !== null)
  expect(planned.map(({ userId }) => userId)).toEqual([waiting])
  expect(Date.parse(planned[0]!.nextTryAt!)).toBeGreaterThan(Date.now())
})

test('the rows of one member are found by their id, together with a status', async () => {
  expect(await logs(`userId=${givenUp}`)).toMatchObject({ total: 2, logs: [{ tryNumber: 2 }, { tryNumber: 1 }] })
  expect(await logs(`userId=${reached}&status=failed&limit=1`)).toMatchObject({ total: 1, logs: [{ tryNumber: 1 }] })
  expect(await logs(`userId=${givenUp}&unreached=24h`)).toMatchObject({ total: 1, logs: [{ tryNumber: 2 }] })
  expect(await logs('userId=nobody')).toMatchObject({ total: 0, logs: [] })
  expect(await logs('unreached=24h&status=failed&limit=1&page=2')).toMatchObject({
    total: 2,
    logs: [{ userId: givenUp, tryNumber: 2, canRetry: true, nextTryAt: null }],
  })
  expect(await logs('unreached=24h&status=success')).toMatchObject({ total: 0, logs: [] })
})

test("unreached cases are the last day's last tries that failed (product 3.6)", async () => {
  const { logs: rows, total } = await logs('unreached=24h')
  expect(rows.map(({ userId, tryNumber }) => [userId, tryNumber])).toEqual([
    [waiting, 1],
    [givenUp, 2],
  ])
  expect(total).toBe(2)
  expect(await countUnreached(server.system)).toBe(2)
  expect((await ada('POST', '/api/kyc/webhook-retry', { userId: givenUp })).json()).toMatchObject({ success: true })
  expect(await logs('unreached=24h')).toMatchObject({ total: 1, logs: [{ userId: waiting }] })
  expect(await countUnreached(server.system)).toBe(1)
})

test('a bad, doubled or unknown parameter is told by name (product 4.3)', async () => {
  for (const [query, field] of [
    ['status=ok', 'status'],
    ['status=failed&status=success', 'status'],
    ['unreached=48h', 'unreached'],
    ['userId=a%00b', 'userId'],
    [`userId=${'x'.repeat(65)}`, 'userId'],
    ["userId='", 'userId'],
    ['limit=1001', 'limit'],
    ['page=0', 'page'],
  ] as const) {
    const reply = await ada('GET', `/api/kyc/webhook-logs?${query}`)
    expect(reply.statusCode, query).toBe(400)
    expect(reply.json().details[0].field).toBe(field)
  }
  expect((await logs('status=all&userId=&unreached=')).total).toBe((await logs()).total)
})

test('the poll of the logs never counts as activity (product 2.2)', async () => {
  const lastActive = async () => (await server.sql('SELECT last_active_at FROM sessions'))[0]!.last_active_at.getTime()
  const rewind = () => server.sql(`UPDATE sessions SET last_active_at = now() - interval '10 minutes'`)
  await rewind()
  const before = await lastActive()
  // Not even from a caller who does not say that it polls.
  await ada('GET', '/api/kyc/webhook-logs?limit=10')
  expect(await lastActive()).toBe(before)
  await ada('GET', '/api/kyc/webhook-stats', undefined, { [passiveHeader]: '1' })
  expect(await lastActive()).toBe(before)
  await ada('GET', '/api/kyc/webhook-stats')
  expect(await lastActive()).toBeGreaterThan(before)
})

test('lists of a million attempts are read by an index (product 4.4)', async () => {
  const client = await server.services.database.pool.connect()
  await client.query('SET enable_seqscan = off; SET enable_sort = off')
  for (const walk of [
    `SELECT * FROM message_attempts WHERE channel = 'kyc' ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM message_attempts WHERE channel = 'kyc' AND NOT success ORDER BY created_at DESC, id DESC LIMIT 50`,
    `SELECT * FROM messages WHERE channel = 'kyc' AND state <> 'delivered' AND last_failed_at > now() - interval '24 hours'
      ORDER BY last_failed_at DESC, id DESC LIMIT 50`,
  ]) {
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${walk}`)
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
    expect(plan).toContain('Index Scan Backward')
    expect(plan).not.toContain('Sort')
  }
  client.release(true)
})
