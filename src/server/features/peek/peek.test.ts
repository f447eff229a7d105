import { expect, test } from 'vitest'
import { permissions, type Permission } from '#contract/permissions.ts'
import type { Activity } from '#contract/schemas/activity.ts'
import type { MemberPeek, OrderPeek } from '#contract/schemas/peek.ts'
import { makeAttempt, makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)

const get = (path: string, who = 'ada') => server.as(who)('GET', path)
async function peekMember(id: string) {
  const reply = await get(`/api/users/${id}/peek`)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<MemberPeek>()
}
const later = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

test('a member’s sums are by token and by currency, the largest first (product 5.19)', async () => {
  const member = await makeMember(server)
  const token = (end: string) => `0x${end.padStart(40, '0')}`
  await server.sql(
    `INSERT INTO fractions (id, member_id, project_name, amount, token_address, received_at)
     SELECT 'peek-' || n, $1, 'Harbour', amount::numeric, address, now()
     FROM (VALUES (1, '10.5', $2), (2, '4.5', $2), (3, '200', $3)) AS f (n, amount, address)`,
    [member.id, token('a1'), token('a2')],
  )
  for (const [investmentAmount, currency] of [
    ['100.00', 'EUR'],
    ['50.00', 'EUR'],
    ['900.00', 'GBP'],
  ] as const)
    await makeOrder(server, member.id, { investmentAmount, currency, expiresAt: later(30) })
  const soon = await makeOrder(server, member.id, { investmentAmount: '1.00', currency: 'GBP', expiresAt: later(5) })
  await makeOrder(server, member.id, { investmentAmount: '7.00', currency: 'USD', expiresAt: later(-1) })
  const { holdings, openOrders, nextOrder, activity } = await peekMember(member.id)
  expect(holdings).toEqual([
    { unit: token('a2'), amount: '200' },
    { unit: token('a1'), amount: '15.0' },
  ])
  expect(openOrders).toEqual([
    { unit: 'GBP', amount: '901.00' },
    { unit: 'EUR', amount: '150.00' },
  ])
  expect(nextOrder?.id).toBe(soon.id)
  expect(activity.memberId).toBe(member.id)
})

test('the verification that waits for a decision is named until it is decided (product 5.19)', async () => {
  const member = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
  await makeAttempt(server, member.id)
  const before = await peekMember(member.id)
  expect(before).toMatchObject({ attemptNumber: 1, reviewId: expect.stringMatching(/^\d+$/) as string })
  const rejected = await server.as('ada')('POST', `/api/users/${member.id}/kyc/reject`, { rejectionReason: 'Blurred' })
  expect(rejected.statusCode).toBe(200)
  expect(await peekMember(member.id)).toMatchObject({ attemptNumber: 1, reviewId: null })
})

test('an order comes with its newest activity (product 5.19)', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id)
  const peek = (await get(`/api/orders/${order.id}/peek`)).json<OrderPeek>()
  expect(peek.order).toMatchObject({ id: order.id, userId: member.id })
  expect(peek.activity.entries[0]).toMatchObject({ type: 'order_placed' })
})

test('what an operator may not view is not in Peek (product 2.6)', async () => {
  const member = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
  await makeAttempt(server, member.id)
  await makeOrder(server, member.id, { expiresAt: later(5) })
  roles.super_admin = ['members.view']
  expect(await peekMember(member.id)).toMatchObject({ openOrders: null, nextOrder: null, reviewId: null })
  roles.super_admin = permissions
})

test('what was only sent ahead is traced, and is not a view of the member (product 6.9)', async () => {
  const member = await makeMember(server)
  const readTrace = () =>
    server.sql<{ kind: string; rows: number }>(
      `SELECT kind, rows FROM data_access WHERE target = $1
        AND admin_id = (SELECT id FROM admins WHERE username = 'ada') ORDER BY id`,
      [member.id],
    )
  const countViews = async () =>
    (await server.as('vera')('GET', `/api/users/${member.id}/activity?kind=views`)).json<Activity>().total
  expect((await get(`/api/users/${member.id}/peek?ahead=true`)).statusCode).toBe(200)
  await expect.poll(readTrace).toEqual([{ kind: 'member', rows: 0 }])
  expect(await countViews()).toBe(0)
  await peekMember(member.id)
  await expect.poll(readTrace).toEqual([
    { kind: 'member', rows: 0 },
    { kind: 'member', rows: 1 },
  ])
  expect(await countViews()).toBe(1)
})

test.each([
  ['/api/users/nobody/peek', 404],
  ['/api/orders/0/peek', 404],
  ['/api/orders/x/peek', 404],
  ['/api/users/m-1/peek?ahead=maybe', 400],
])('%s is refused with %i', async (path, status) => {
  expect((await get(path)).statusCode).toBe(status)
})
