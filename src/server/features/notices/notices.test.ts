import { expect, test } from 'vitest'
import type { Notice } from '#contract/schemas/notices.ts'
import { runJob } from '#test/support/jobs.ts'
import { foldListCounts, makeMember, makeOrder } from '#test/support/make.ts'
import { createMessageTables } from '#test/support/messages.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const notices = async () => {
  const reply = await ada('GET', '/api/notices')
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ notices: Notice[] }>().notices
}
const total = async (url: string) => (await ada('GET', url)).json<{ total: number }>().total
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
const raise = (severity: string) =>
  server.sql<{ id: string }>(
    `INSERT INTO security_events (severity, event_type, description) VALUES ($1, 'test', 'A test') RETURNING id::text`,
    [severity],
  )

test('no notice where nothing waits (product 3.6)', async () => {
  expect(await notices()).toEqual([])
  expect((await server.as(null)('GET', '/api/notices')).statusCode).toBe(401)
})

test('unresolved critical events are one notice, as many as their list (product 3.6)', async () => {
  const [first] = await raise('critical')
  const [second] = await raise('critical')
  await raise('high')
  for (let turn = 0; turn < 2; turn++) {
    expect(await notices()).toEqual([{ kind: 'critical_events', count: 2 }])
    expect(await total('/api/security/events?severity=critical&resolved=false')).toBe(2)
    await foldListCounts(server)
  }
  await ada('POST', `/api/security/events/${first!.id}/resolve`)
  expect(await notices()).toEqual([{ kind: 'critical_events', count: 1 }])
  await ada('POST', `/api/security/events/${second!.id}/resolve`, { note: 'A drill' })
  expect(await notices()).toEqual([])
})

test('orders that wait and expire within a day are one notice, as many as their list (product 3.6, 7.4)', async () => {
  const { id } = await makeMember(server)
  const soon = await makeOrder(server, id, { expiresAt: inHours(23.9) })
  const next = await makeOrder(server, id, { expiresAt: inHours(0.1) })
  await makeOrder(server, id, { expiresAt: inHours(24.1) })
  await makeOrder(server, id, { expiresAt: inHours(12), status: 'cancelled' })
  const due = await makeOrder(server, id, { expiresAt: inHours(-0.1) })
  expect(await notices()).toEqual([{ kind: 'expiring_orders', count: 2 }])
  expect(await total('/api/orders?expiring=24h')).toBe(2)
  await runJob(server.services, 'expire-orders')
  expect((await ada('GET', `/api/orders/${due.id}`)).json().order.status).toBe('expired')
  await ada('PATCH', `/api/orders/${soon.id}/status`, { status: 'paid' })
  expect(await notices()).toEqual([{ kind: 'expiring_orders', count: 1 }])
  await ada('PATCH', `/api/orders/${next.id}/status`, { status: 'cancelled', notes: 'Asked for' })
  expect(await notices()).toEqual([])
})

test('KYC submissions that failed to reach the provider within a day are one notice (product 3.6)', async () => {
  const { id } = await makeMember(server)
  const deliveries = [
    ['failed', '1 hour'],
    ['waiting', '23 hours'],
    ['sending', '2 hours'],
    ['delivered', '1 hour'],
    ['failed', '25 hours'],
    ['waiting', null],
  ]
  for (const [attempt, [state, ago]] of deliveries.entries())
    await server.sql(
      `INSERT INTO messages (channel, direction, type, entity_type, entity_id, attempt_number, state, last_failed_at)
       VALUES ('kyc', 'out', 'kyc.submitted', 'member', $1, $2, $3, now() - $4::interval)`,
      [id, attempt + 1, state, ago],
    )
  expect(await notices()).toEqual([{ kind: 'failed_submissions', count: 3 }])
})

test('the three kinds stand in one order, whichever came first (product 3.6)', async () => {
  await makeOrder(server, (await makeMember(server)).id, { expiresAt: inHours(1) })
  await raise('critical')
  expect((await notices()).map(({ kind }) => kind)).toEqual([
    'critical_events',
    'failed_submissions',
    'expiring_orders',
  ])
})

test('failed events are one notice until they are sent again', async () => {
  const { event, clear } = createMessageTables(server)
  await clear()
  const failed = async () => (await notices()).filter(({ kind }) => kind === 'failed_events')
  const [first, second] = [await event({ state: 'failed' }), await event({ state: 'failed', entity: ['order', 'o-1'] })]
  await event({ state: 'delivered', entity: ['order', 'o-2'] })
  for (let turn = 0; turn < 2; turn++) {
    expect(await failed()).toEqual([{ kind: 'failed_events', count: 2 }])
    expect(await total('/api/messages?kind=event&state=failed')).toBe(2)
    await foldListCounts(server)
  }
  await ada('POST', '/api/messages/resend', { ids: [first] })
  expect(await failed()).toEqual([{ kind: 'failed_events', count: 1 }])
  await ada('POST', '/api/messages/resend', { ids: [second] })
  expect(await failed()).toEqual([])
})
