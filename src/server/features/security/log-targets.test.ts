import { expect, test } from 'vitest'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createAllocationCaller, createStoredLines, payOrder } from '#test/support/stored-lines.ts'

const server = await startServer()
const ada = server.as('ada')
const { makeLine } = await createStoredLines(server)
const { apply } = createAllocationCaller(server)
const member = await makeMember(server, { email: 'ana@example.com', membershipId: 'MB-00000007' })
const list = async (target: string, more = '') => {
  const { logs, total } = (await ada('GET', `/api/admin/logs?target=${encodeURIComponent(target)}${more}`)).json()
  return { actions: logs.map(({ action }: { action: string }) => action), total }
}

test('the log is searched by an order’s number, with the bank lines that pay it (product 5.12)', async () => {
  const order = await makeOrder(server, member.id, { orderNumber: 'ORD-of-Ana', investmentAmount: '100.00' })
  const other = await makeOrder(server, member.id)
  await ada('PATCH', `/api/orders/${other.id}/status`, { status: 'paid' })
  await apply((await makeLine()).id, [payOrder(order, '100.00')], { reason: 'Her husband' })
  expect(await list('ORD-of-Ana')).toEqual({ actions: ['apply_payment'], total: 1 })
  expect(await list(other.orderNumber)).toEqual({ actions: ['set_order_status'], total: 1 })
  expect(await list(other.orderNumber, '&action=set_order_status&actor=ada')).toMatchObject({ total: 1 })
  expect(await list(other.orderNumber, '&actor=bea')).toMatchObject({ total: 0 })
})

test.each(['id', 'e-mail', 'membership id'])('the log is searched by a member’s %s (product 5.12)', async (by) => {
  const call = by === 'e-mail' ? 'unban' : 'ban'
  await ada('POST', `/api/users/${member.id}/${call}`, { reason: 'Card stolen' })
  const target = { id: member.id, 'e-mail': 'ANA@example.com', 'membership id': 'mb-00000007' }[by]!
  const { actions, total } = await list(target)
  expect(total).toBeGreaterThan(0)
  expect(new Set(actions)).toEqual(new Set(actions.filter((action: string) => /ban_user/.test(action))))
})

test('any other target is found by its id, and what is not one finds nothing (product 5.12)', async () => {
  const token = { contractAddress: `0x${'ab'.repeat(20)}`, projectName: 'Solar', tokenSymbol: 'SUN' }
  expect((await ada('POST', '/api/tokens/earning', token)).statusCode).toBeLessThan(300)
  const [made] = await server.sql<{ id: string }>(`SELECT target_id AS id FROM audit_log WHERE action = 'create_token'`)
  expect((await list(made!.id)).actions).toContain('create_token')
  expect(await list('ORD-none')).toEqual({ actions: [], total: 0 })
  expect(await list("' OR true --")).toEqual({ actions: [], total: 0 })
})
