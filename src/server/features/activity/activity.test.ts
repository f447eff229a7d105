import { expect, test } from 'vitest'
import { permissions, type Permission } from '#contract/permissions.ts'
import type { Activity } from '#contract/schemas/activity.ts'
import {
  makeAttempt,
  makeChainTransaction,
  makeMember,
  makeOrder,
  makeTransaction,
  makeWallet,
} from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const roles: { super_admin: readonly Permission[] } = { super_admin: permissions }
const server = await startServer({}, roles)
const platform = createPlatformCaller(server)
const { makeLine } = await createStoredLines(server)
const { apply, undo } = createAllocationCaller(server)

const at = (hour: number) => new Date(Date.UTC(2026, 0, 5, hour)).toISOString()
const read = async (path: string) => {
  const reply = await server.as('ada')('GET', path)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<Activity>()
}
const readMember = (id: string, query = '') => read(`/api/users/${id}/activity${query}`)
const listTypes = ({ entries }: Activity) => entries.map(({ type }) => type)

test('a member’s activity has what happened, newest first, with actor and reason', async () => {
  const member = await makeMember(server, { kycStatus: 'submitted', createdAt: at(0) })
  await makeAttempt(server, member.id, { at: at(1) })
  await makeWallet(server, member.id, { createdAt: at(2) })
  await makeTransaction(server, member.id, { createdAt: at(3), type: 'deposit', amount: '12.50', status: 'completed' })
  const order = await makeOrder(server, member.id, { createdAt: at(4), investmentAmount: '250.00', currency: 'GBP' })
  const ada = server.as('ada')
  expect((await ada('POST', `/api/users/${member.id}/kyc/reject`, { rejectionReason: 'Blurred' })).statusCode).toBe(200)
  expect((await ada('POST', `/api/users/${member.id}/ban`, { reason: 'Card stolen' })).statusCode).toBe(200)
  const cancelled = { status: 'cancelled', notes: 'Asked by phone' }
  expect((await ada('PATCH', `/api/orders/${order.id}/status`, cancelled)).statusCode).toBe(200)

  const activity = await readMember(member.id)
  expect(listTypes(activity).filter((type) => type !== 'message_sent')).toEqual([
    'order_cancelled',
    'ban_user',
    'reject_kyc',
    'order_placed',
    'account_transaction',
    'wallet_added',
    'kyc_submitted',
    'kyc_step',
    'kyc_step',
    'joined',
  ])
  const of = (type: string) => activity.entries.find((entry) => entry.type === type)
  const ofOrder = { id: order.id, orderNumber: order.orderNumber }
  expect(of('reject_kyc')).toMatchObject({ kind: 'kyc', actor: 'ada', attemptNumber: 1, text: 'Blurred', order: null })
  expect(of('ban_user')).toMatchObject({ kind: 'bans', actor: 'ada', text: 'Card stolen' })
  expect(of('order_placed')).toMatchObject({ at: at(4), amount: '250.00', unit: 'GBP', order: ofOrder, actor: null })
  expect(of('order_cancelled')).toMatchObject({ actor: 'ada', text: 'Asked by phone', order: ofOrder })
  expect(of('account_transaction')).toMatchObject({
    at: at(3),
    subject: 'deposit',
    amount: '12.50',
    state: 'completed',
  })
  expect(activity).toMatchObject({ total: activity.entries.length, next: null, memberId: member.id })
})

test('the order’s activity has its money, who applied it and who undid it', async () => {
  const member = await makeMember(server)
  const order = await makeOrder(server, member.id, { investmentAmount: '100.00' })
  const line = await makeLine()
  const applied = await apply(line.id, [payOrder(order, '100.00')], { reason: 'Her husband' })
  await undo(applied.allocations[0]!.id, 'Wrong order')
  const activity = await read(`/api/orders/${order.id}/activity?kind=payments`)
  expect(activity.total).toBe(2)
  expect(activity.entries).toMatchObject([
    { type: 'payment_undone', actor: 'ada', amount: '100.00', unit: 'EUR', text: 'Wrong order', subject: 'order' },
    { type: 'payment_applied', actor: 'ada', text: 'Her husband', link: { to: 'bank_line', id: line.id } },
  ])
  expect(listTypes(await readMember(member.id, '?kind=payments'))).toEqual(['payment_undone', 'payment_applied'])
})

test('pages of activity hold each entry once, also those of one instant', async () => {
  const member = await makeMember(server, { createdAt: at(5) })
  for (let n = 0; n < 7; n += 1) await makeTransaction(server, member.id, { createdAt: at(5) })
  await makeOrder(server, member.id, { createdAt: at(5) })
  const whole = await readMember(member.id)
  expect(whole).toMatchObject({ total: 9, next: null })
  const seen: string[] = []
  let next: string | null = ''
  while (next !== null) {
    const page = await readMember(member.id, `?limit=2${next && `&before=${next}`}`)
    expect(page.total).toBe(9)
    seen.push(...page.entries.map(({ id }) => id))
    next = page.next
  }
  expect(seen).toEqual(whole.entries.map(({ id }) => id))
  expect(new Set(seen).size).toBe(9)
})

test('a transfer between two wallets of one member stands once', async () => {
  const member = await makeMember(server)
  const [from, to] = [await makeWallet(server, member.id), await makeWallet(server, member.id)]
  await makeChainTransaction(server, from.address, { toAddress: to.address, fromAddress: from.address })
  const { entries } = await readMember(member.id, '?kind=transfers')
  expect(entries.filter(({ type }) => type === 'chain_transfer')).toHaveLength(1)
})

test('what an operator may not view is not in the activity, nor in its total', async () => {
  const member = await makeMember(server)
  await makeTransaction(server, member.id)
  await makeOrder(server, member.id)
  roles.super_admin = ['members.view']
  expect(await readMember(member.id)).toMatchObject({ total: 1, entries: [{ type: 'joined' }] })
  expect(await readMember(member.id, '?kind=orders')).toMatchObject({ total: 0, entries: [] })
  roles.super_admin = permissions
})

test('a change by the platform names its fields and its key', async () => {
  const id = 'activity-1'
  const body = { email: 'tim@example.com', legalFirstName: 'Tim' }
  expect((await platform('PUT', `/members/${id}`, body)).statusCode).toBe(200)
  expect((await platform('PUT', `/members/${id}`, { ...body, legalFirstName: 'Timo' })).statusCode).toBe(200)
  const { entries } = await readMember(id)
  expect(entries[0]).toMatchObject({ type: 'update_member', kind: 'profile', fields: ['legalFirstName'] })
  expect(entries[0]!.actor).toMatch(/^platform:/)
})

test.each([
  ['/api/users/nobody/activity', 404],
  ['/api/orders/0/activity', 404],
  ['/api/orders/x/activity', 404],
  ['/api/orders/999999999999999999999/activity', 404],
  ['/api/users/m-1/activity?before=yesterday', 400],
  ['/api/users/m-1/activity?before=2026-99-99T00:00:00.000Z_01.1', 400],
  ['/api/users/m-1/activity?kind=everything', 400],
  ['/api/users/m-1/activity?limit=1001', 400],
])('%s is refused with %i', async (path, status) => {
  expect((await server.as('ada')('GET', path)).statusCode).toBe(status)
})
