import { expect, test } from 'vitest'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
for (const name of ['fred', 'fiona']) await server.addOperator(name, 'finance')
const [ada, vera, max] = [server.as('ada'), server.as('vera'), server.as('max')]
await server.addOperator('rita', 'reviewer')
await server.addOperator('vic', 'viewer')
const [fred, fiona, rita, vic] = [server.as('fred'), server.as('fiona'), server.as('rita'), server.as('vic')]
for (const call of [ada, vera, max, fred, fiona]) expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { setRule, withRule, readRequest, approve, withdraw } = createApprovalCaller(server, ada)

const member = await makeMember(server)
const ask = (given = {}) => makeOrder(server, member.id, given)
const pay = (by: typeof ada, { id }: { id: string }) =>
  by('PATCH', `/api/orders/${id}/status`, { status: 'paid', notes: 'Seen' })

test('a rule may begin at an amount, and covers other currencies whole (product 2.11)', async () => {
  const make = (investmentAmount: string, currency = 'EUR') => ask({ investmentAmount, currency })
  const rule = { fromAmount: '5000', currency: 'EUR' }
  await withRule(
    'mark_order_paid',
    async () => {
      expect((await pay(fred, await make('4999.99'))).statusCode).toBe(200)
      const requests = [await make('5000.00'), await make('10.00', 'CHF')].map(async (order) =>
        readRequest(await pay(fred, order)),
      )
      for (const request of await Promise.all(requests)) await withdraw(fred, request)
    },
    rule,
  )
})

test('a rule may cover some roles alone (product 2.11)', async () => {
  await withRule(
    'mark_order_paid',
    async () => {
      expect((await pay(ada, await ask())).statusCode).toBe(200)
      await withdraw(fred, readRequest(await pay(fred, await ask())))
    },
    { roles: ['finance'] },
  )
})

test('the platform needs no approval (product 2.11)', async () => {
  const platform = createPlatformCaller(server)
  const order = await ask({ status: 'paid' })
  await withRule('mark_order_paid', async () => {
    const reply = await platform('POST', `/orders/${order.orderNumber}/complete`)
    expect(reply.statusCode, reply.body).toBe(200)
  })
})

test('a rule is saved with its version, audited and seen (product 2.11)', async () => {
  const rules = async () => (await ada('GET', '/api/approval-rules')).json()
  const { rules: before, expiryHours } = await rules()
  expect(expiryHours).toBe(72)
  expect(before.every((rule: { isOn: boolean; version: number }) => !rule.isOn && rule.version === 1)).toBe(true)
  const change = { isOn: true, fromAmount: '5000', currency: 'EUR', roles: ['viewer', 'finance'] }
  const put = (body: object, version: number, action = 'cancel_order') =>
    ada('PUT', `/api/approval-rules/${action}`, body, { 'if-match': `"${version}"` })
  const saved = await put(change, 1)
  expect(saved.json()).toMatchObject({
    message: 'Approval rule saved',
    rule: { action: 'cancel_order', fromAmount: '5000.00', roles: ['viewer', 'finance'], changedBy: 'ada', version: 2 },
  })
  expect((await put({ ...change, isOn: false }, 1)).json()).toMatchObject({ code: 'stale', details: { version: 2 } })
  expect((await put({ ...change, isOn: false }, 2)).statusCode).toBe(200)
  const seen = await server.sql(
    `SELECT severity, description FROM security_events WHERE event_type = 'approval_rule_changed' ORDER BY id DESC LIMIT 2`,
  )
  expect(seen).toEqual([
    { severity: 'high', description: 'ada has changed the approval rule “Cancel an order”' },
    { severity: 'medium', description: 'ada has changed the approval rule “Cancel an order”' },
  ])
  for (const [body, action] of [
    [{ ...change, currency: null }, 'cancel_order'],
    [{ ...change, fromAmount: null }, 'cancel_order'],
    [{ ...change, roles: [] }, 'cancel_order'],
    [change, 'ban_user'],
    [change, 'no_such_action'],
  ] as const)
    expect((await ada('PUT', `/api/approval-rules/${action}`, body)).statusCode).toBe(400)
  expect((await fred('PUT', '/api/approval-rules/cancel_order', change)).statusCode).toBe(403)
})

test('a change of a rule may need an approval, too (product 2.11)', async () => {
  await withRule('set_approval_rule', async () => {
    const request = readRequest(await setRule('ban_user'))
    expect(request).toMatchObject({ action: 'set_approval_rule', target: { name: 'Ban a member' } })
    expect((await ada('GET', '/api/approval-rules')).json().rules).toContainEqual(
      expect.objectContaining({ action: 'ban_user', isOn: false }),
    )
    expect((await fiona('GET', `/api/approvals/${request.id}`)).statusCode).toBe(404)
    expect((await approve(vera, request)).statusCode).toBe(200)
    expect((await ada('GET', '/api/approval-rules')).json().rules).toContainEqual(
      expect.objectContaining({ action: 'ban_user', isOn: true, changedBy: 'ada' }),
    )
    await server.sql(`DELETE FROM approval_rules WHERE action = 'ban_user'`)
  })
})

test('a rule that would leave nobody to approve is refused (product 2.11)', async () => {
  await server.sql(`UPDATE admins SET disabled_at = now() WHERE username IN ('vera', 'max')`)
  const refused = await setRule('create_token')
  expect(refused.json()).toMatchObject({ code: 'approver_missing', message: expect.stringContaining('Add a token') })
  await server.sql(`UPDATE admins SET disabled_at = NULL WHERE username IN ('vera', 'max')`)
  expect((await setRule('create_token')).statusCode).toBe(200)
})

test('what waits for an operator is a notice with its number (product 3.6)', async () => {
  const waiting = async (by: typeof ada) =>
    ((await by('GET', '/api/notices')).json().notices as { kind: string; count: number }[]).find(
      ({ kind }) => kind === 'waiting_approvals',
    )?.count ?? 0
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, await ask()))
    expect([await waiting(fred), await waiting(fiona), await waiting(rita), await waiting(vic)]).toEqual([0, 1, 0, 0])
    expect((await fiona('GET', '/api/approvals?state=open&view=others')).json().total).toBe(1)
    expect((await fred('GET', '/api/approvals?state=open&view=own')).json().total).toBe(1)
    await withdraw(fred, request)
    expect(await waiting(fiona)).toBe(0)
  })
})
