import { expect, test } from 'vitest'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const [ada, vera, max] = [server.as('ada'), server.as('vera'), server.as('max')]
for (const name of ['fred', 'fiona']) await server.addOperator(name, 'finance')
for (const name of ['rita', 'ruth']) await server.addOperator(name, 'reviewer')
await server.addOperator('vic', 'viewer')
const [fred, fiona, rita, vic] = [server.as('fred'), server.as('fiona'), server.as('rita'), server.as('vic')]
for (const call of [ada, vera, max, fred, fiona, rita, vic])
  expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { withRule, readRequest, approve, decline, withdraw, read } = createApprovalCaller(server, ada)

const member = await makeMember(server)
const ask = (given = {}) => makeOrder(server, member.id, given)
const pay = (by: typeof ada, { id }: { id: string }, notes = 'Seen', headers = {}) =>
  by('PATCH', `/api/orders/${id}/status`, { status: 'paid', notes }, headers)
const readOrder = async ({ id }: { id: string }) =>
  (await server.sql('SELECT status, version, status_changed_by FROM orders WHERE id = $1', [id]))[0]!
const countEvents = async ({ orderNumber }: { orderNumber: string }) =>
  (await server.sql('SELECT 1 FROM messages WHERE entity_id = $1', [orderNumber])).length
const audits = (id: string) =>
  server.sql<{ action: string; actor_name: string; details: object }>(
    `SELECT action, actor_name, details FROM audit_log WHERE target_type = 'order' AND target_id = $1 ORDER BY id`,
    [id],
  )

test('without a rule an order is marked paid at once, and there is no request (product 2.11)', async () => {
  const order = await ask()
  expect((await pay(ada, order)).statusCode).toBe(200)
  expect((await ada('GET', '/api/approvals')).json()).toMatchObject({ approvals: [], total: 0 })
})

test('nothing changes, and the platform hears nothing, until it is approved (product 2.11)', async () => {
  const order = await ask({ investmentAmount: '100.00' })
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    expect(request).toMatchObject({
      action: 'mark_order_paid',
      state: 'open',
      target: { type: 'order', id: order.id, name: order.orderNumber },
      memberId: member.id,
      amount: '100.00',
      currency: 'EUR',
      requestedBy: 'fred',
      isOwn: true,
      canDecide: false,
      changes: [
        {
          action: 'set_order_status',
          details: { notes: 'Seen', before: { status: 'waiting_payment' }, after: { status: 'paid' } },
        },
      ],
    })
    expect(await readOrder(order)).toMatchObject({ status: 'waiting_payment', version: 1 })
    const { orders } = (await ada('GET', `/api/orders?search=${order.orderNumber}`)).json()
    expect(orders).toMatchObject([{ id: order.id, waitingApprovals: ['mark_order_paid'] }])
    expect(await countEvents(order)).toBe(0)
    expect((await audits(order.id)).length).toBe(0)
    const reply = await approve(fiona, request, 'Seen too')
    expect(reply.json()).toMatchObject({
      approval: { state: 'approved', decidedBy: 'fiona', comment: 'Seen too' },
      link: null,
    })
    expect(await readOrder(order)).toEqual({ status: 'paid', version: 2, status_changed_by: 'fred' })
    expect(await countEvents(order)).toBe(1)
    expect(await audits(order.id)).toMatchObject([
      {
        action: 'set_order_status',
        actor_name: 'fred',
        details: { approval: { id: request.id, approvedBy: 'fiona' }, after: { status: 'paid' } },
      },
    ])
    const rows = await server.sql(
      `SELECT action, actor_name FROM audit_log WHERE target_type = 'approval' AND target_id = $1 ORDER BY id`,
      [request.id],
    )
    expect(rows).toEqual([
      { action: 'request_approval', actor_name: 'fred' },
      { action: 'approve_request', actor_name: 'fiona' },
    ])
  })
})

test('what the call itself refuses is refused before it is requested (product 2.11)', async () => {
  await withRule('mark_order_paid', async () => {
    const paid = await ask({ status: 'paid' })
    expect((await pay(fred, paid)).json()).toMatchObject({ code: 'order_state' })
    expect((await pay(fred, await ask(), 'Seen', { 'if-match': '"9"' })).json()).toMatchObject({ code: 'stale' })
    expect((await pay(rita, await ask())).statusCode).toBe(403)
    expect((await pay(fred, { id: '987654' })).statusCode).toBe(404)
    expect((await fred('GET', '/api/approvals?state=open')).json().total).toBe(0)
  })
})

test('an own request is refused with the reason, by the database too (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    const refused = await approve(fred, request)
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'own_approval'])
    expect(refused.json().message).toBe('Another operator has to approve what you have requested')
    expect((await decline(fred, request)).json().code).toBe('own_approval')
    expect(await readOrder(order)).toMatchObject({ status: 'waiting_payment' })
    await expect(
      server.sql(
        `UPDATE approvals SET state = 'approved', decided_by = requested_by, closed_at = now() WHERE id = $1`,
        [request.id],
      ),
    ).rejects.toThrow('approvals_four_eyes')
    await expect(
      server.sql(`UPDATE approvals SET body = '{"status":"cancelled"}' WHERE id = $1`, [request.id]),
    ).rejects.toThrow('does not change')
    expect((await withdraw(fred, request)).json()).toMatchObject({ approval: { state: 'withdrawn', decidedBy: null } })
    await expect(
      server.sql(`UPDATE approvals SET state = 'open', closed_at = NULL WHERE id = $1`, [request.id]),
    ).rejects.toThrow('is closed')
  })
})

test('only who may make the change may decide on it (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    expect((await approve(vic, request)).json()).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('orders.decide'),
    })
    expect(await read(vic, request)).toMatchObject({ canDecide: false })
    expect(await read(fiona, request)).toMatchObject({ canDecide: true })
    const refused = await withdraw(fiona, request)
    expect([refused.statusCode, refused.json().message]).toEqual([403, 'Only who has requested it can withdraw it'])
    await withdraw(fred, request)
  })
})

test('a request about what a role may not view is as unknown as none (product 2.11)', async () => {
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, await ask()))
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/approve'],
      ['POST', '/decline'],
      ['POST', '/withdraw'],
    ] as const) {
      const body = path === '/decline' ? { comment: 'No' } : path === '/approve' ? {} : undefined
      expect((await rita(method, `/api/approvals/${request.id}${path}`, body)).statusCode, path).toBe(404)
    }
    expect((await rita('GET', '/api/approvals')).json().total).toBe(0)
    expect((await vic('GET', '/api/approvals?state=open')).json().total).toBe(1)
    await withdraw(fred, request)
  })
})

test('of two who approve at once one is first (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    const replies = await Promise.all([fiona, ada, vera, max].map((by) => approve(by, request)))
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409, 409, 409])
    const lost = replies.filter(({ statusCode }) => statusCode === 409)
    for (const reply of lost)
      expect(reply.json()).toMatchObject({ code: 'approval_closed', details: { status: 'approved' } })
    expect(await countEvents(order)).toBe(1)
    expect(await readOrder(order)).toMatchObject({ version: 2 })
  })
})

test('a second request of the same names the first (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const replies = await Promise.all([pay(fred, order), pay(fiona, order), pay(ada, order)])
    expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([202, 409, 409])
    const first = readRequest(replies.find(({ statusCode }) => statusCode === 202)!)
    const again = await pay(vera, order)
    expect(again.json()).toMatchObject({
      code: 'approval_waiting',
      message: expect.stringMatching(/^This waits for an approval already \(requested by \w+ on /),
      details: { approvalId: first.id },
    })
    const open = (await fred('GET', `/api/approvals?state=open&targetType=order&targetId=${order.id}`)).json()
    expect(open.approvals.map(({ id }: { id: string }) => id)).toEqual([first.id])
    await decline(max, first)
  })
})

test('where the target has moved on, the request is closed as failed, and says why (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    expect(
      (await ada('PATCH', `/api/orders/${order.id}/status`, { status: 'cancelled', notes: 'Asked for' })).statusCode,
    ).toBe(200)
    const failed = await approve(fiona, request)
    expect(failed.statusCode).toBe(409)
    expect(failed.json()).toMatchObject({
      code: 'approval_failed',
      message: expect.stringContaining('This order is cancelled (set by ada on'),
    })
    expect(await read(fred, request)).toMatchObject({
      state: 'failed',
      decidedBy: 'fiona',
      failure: expect.stringContaining('This order is cancelled'),
    })
    expect(await readOrder(order)).toMatchObject({ status: 'cancelled' })
  })
})

test('a target that was only changed fails the request too, without an If-Match (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    await server.sql(`UPDATE orders SET investment_amount = 1, version = version + 1 WHERE id = $1`, [order.id])
    expect((await approve(fiona, request)).json()).toMatchObject({
      code: 'approval_failed',
      message: expect.stringContaining('This order was changed meanwhile'),
    })
    expect(await readOrder(order)).toMatchObject({ status: 'waiting_payment' })
  })
})

test('a declined request changes nothing, and has its comment (product 2.11)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    expect((await decline(fiona, request, ' ')).statusCode).toBe(400)
    expect((await decline(fiona, request, 'Of another order')).json()).toMatchObject({
      message: 'Request declined',
      approval: { state: 'declined', decidedBy: 'fiona', comment: 'Of another order' },
    })
    expect((await approve(ada, request)).json()).toMatchObject({
      code: 'approval_closed',
      message: expect.stringMatching(/^This request is declined \(set by fiona on /),
    })
    expect(await readOrder(order)).toMatchObject({ status: 'waiting_payment' })
  })
})

test('a request expires by the clock, also before the job has marked it (product 2.11)', async () => {
  const [order, other] = [await ask(), await ask()]
  await withRule('mark_order_paid', async () => {
    const [first, second] = [readRequest(await pay(fred, order)), readRequest(await pay(fred, other))]
    const hours = (Date.parse(first.expiresAt) - Date.parse(first.requestedAt)) / 3_600_000
    expect(hours).toBe(72)
    await server.sql(`ALTER TABLE approvals DISABLE TRIGGER approvals_kept`)
    await server.sql(`UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id IN ($1, $2)`, [
      first.id,
      second.id,
    ])
    await server.sql(`ALTER TABLE approvals ENABLE TRIGGER approvals_kept`)
    expect(await read(fiona, first)).toMatchObject({ state: 'expired', canDecide: false })
    expect((await approve(fiona, first)).json()).toMatchObject({ code: 'approval_closed' })
    // A new request takes the place of one whose time is over.
    const again = readRequest(await pay(fred, order))
    await runJob(server.services, 'expire-approvals')
    const states = await server.sql('SELECT state FROM approvals WHERE id IN ($1, $2, $3) ORDER BY id', [
      first.id,
      second.id,
      again.id,
    ])
    expect(states.map(({ state }) => state)).toEqual(['expired', 'expired', 'open'])
    const [row] = await server.sql(
      `SELECT actor_name FROM audit_log WHERE action = 'expire_request' AND target_id = $1`,
      [second.id],
    )
    expect(row).toEqual({ actor_name: 'system' })
    await withdraw(fred, again)
  })
})

test('who has requested must still be allowed to do it (product 2.11)', async () => {
  const order = await ask()
  await server.addOperator('felix', 'finance')
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(server.as('felix'), order))
    await server.sql(`UPDATE admins SET disabled_at = now() WHERE username = 'felix'`)
    const refused = await approve(fiona, request)
    expect(refused.json()).toMatchObject({ code: 'requester_left', message: expect.stringContaining('felix') })
    expect(await read(fiona, request)).toMatchObject({ state: 'open' })
    expect((await decline(fiona, request)).statusCode).toBe(200)
  })
})

test('an approval needs a recent sign-in (product 2.9)', async () => {
  const order = await ask()
  await withRule('mark_order_paid', async () => {
    const request = readRequest(await pay(fred, order))
    const sessions = `admin_id = (SELECT id FROM admins WHERE username = 'fiona')`
    await server.sql(`UPDATE sessions SET authenticated_at = now() - interval '16 minutes' WHERE ${sessions}`)
    expect((await approve(fiona, request)).json()).toMatchObject({ code: 'step_up_required' })
    await server.sql(`UPDATE sessions SET authenticated_at = now() WHERE ${sessions}`)
    expect((await approve(fiona, request)).statusCode).toBe(200)
  })
})
