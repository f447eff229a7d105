import { expect, test } from 'vitest'
import type { Notice } from '#contract/schemas/notices.ts'
import { createApprovalCaller } from '#test/support/approvals.ts'
import { runJob } from '#test/support/jobs.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
for (const name of ['fred', 'fiona', 'felix']) await server.addOperator(name, 'finance')
await server.addOperator('vic', 'viewer')
const [fred, fiona, felix, vic] = [server.as('fred'), server.as('fiona'), server.as('felix'), server.as('vic')]
for (const call of [ada, fred, fiona, felix, vic]) expect((await call('GET', '/api/account')).statusCode).toBe(200)
const { setRule, readRequest, approve, decline, withdraw, read } = createApprovalCaller(server, ada)
expect((await setRule('mark_order_paid')).statusCode).toBe(200)

const member = await makeMember(server)
async function request(by = fred) {
  const order = await makeOrder(server, member.id)
  const reply = await by('PATCH', `/api/orders/${order.id}/status`, { status: 'paid', notes: 'Seen' })
  return { ...readRequest(reply), order }
}
const countNews = async (by = fred) => {
  const { notices } = (await by('GET', '/api/notices')).json<{ notices: Notice[] }>()
  const count = notices.find(({ kind }) => kind === 'answered_requests')?.count ?? 0
  const list = (await by('GET', '/api/approvals?view=answered')).json<{ total: number }>()
  expect(list.total).toBe(count)
  return count
}
const see = (by: typeof ada, { id }: { id: string }) => by('POST', `/api/approvals/${id}/see`)

test('the requester has a notice of an approval until the request is opened (product 3.6)', async () => {
  const asked = await request()
  expect(await countNews()).toBe(0)
  expect((await see(fred, asked)).statusCode).toBe(204)
  await approve(fiona, asked)
  expect(await countNews()).toBe(1)
  expect(await countNews(fiona)).toBe(0)
  expect(await read(fred, asked)).toMatchObject({ isSeen: false })
  for (let time = 0; time < 2; time++) expect((await see(fred, asked)).statusCode).toBe(204)
  expect(await countNews()).toBe(0)
  expect(await read(fred, asked)).toMatchObject({ isSeen: true, state: 'approved' })
})

test('a declined, a failed and an expired request are news, a withdrawn one is not (product 3.6)', async () => {
  const [declined, failed, expired, withdrawn] = [await request(), await request(), await request(), await request()]
  await decline(fiona, declined)
  await server.sql(`UPDATE orders SET status = 'cancelled', version = version + 1 WHERE id = $1`, [failed.order.id])
  expect((await approve(fiona, failed)).json()).toMatchObject({ code: 'approval_failed' })
  await server.sql(`ALTER TABLE approvals DISABLE TRIGGER approvals_kept`)
  await server.sql(`UPDATE approvals SET expires_at = now() - interval '1 second' WHERE id = $1`, [expired.id])
  await server.sql(`ALTER TABLE approvals ENABLE TRIGGER approvals_kept`)
  await runJob(server.services, 'expire-approvals')
  await withdraw(fred, withdrawn)
  expect(await countNews()).toBe(3)
  for (const each of [declined, failed, expired]) await see(fred, each)
  expect(await countNews()).toBe(0)
})

test('nobody else says that a request was seen (product 2.11)', async () => {
  const asked = await request()
  await decline(fiona, asked)
  expect((await see(fiona, asked)).json()).toMatchObject({ code: 'forbidden' })
  expect((await see(fred, { id: '987654' })).statusCode).toBe(404)
  expect(await countNews()).toBe(1)
  await see(fred, asked)
})

test('of a closed request nothing but that it was seen changes, no matter who writes', async () => {
  const asked = await request()
  await decline(fiona, asked)
  const write = (set: string) => server.sql(`UPDATE approvals SET ${set} WHERE id = $1`, [asked.id])
  await expect(write(`seen_at = now(), comment = 'Another'`)).rejects.toThrow('does not change')
  await write('seen_at = now()')
  await expect(write('seen_at = now()')).rejects.toThrow('is closed')
  const waiting = await request()
  await expect(server.sql('UPDATE approvals SET seen_at = now() WHERE id = $1', [waiting.id])).rejects.toThrow()
  await withdraw(fred, waiting)
})

const setDisabled = async (name: string, isDisabled: boolean) => {
  const { operators } = (await ada('GET', '/api/operators')).json<{ operators: { id: string; username: string }[] }>()
  const { id } = operators.find(({ username }) => username === name)!
  const reply = await ada('POST', `/api/operators/${id}/${isDisabled ? 'disable' : 'enable'}`, { reason: 'A laptop' })
  expect(reply.statusCode, reply.body).toBe(200)
}

test('a request from before a disabling is declined alone, even after enabling (product 2.11)', async () => {
  const asked = await request(felix)
  expect(await read(fiona, asked)).toMatchObject({ canDecide: true, approvalProblem: null })
  const problem = 'felix, who has requested this, has been disabled since; decline it, and let it be requested again'
  await setDisabled('felix', true)
  for (const isDisabled of [true, false]) {
    if (!isDisabled) await setDisabled('felix', false)
    expect(await read(fiona, asked)).toMatchObject({ state: 'open', canDecide: true, approvalProblem: problem })
    expect((await approve(fiona, asked)).json()).toMatchObject({ code: 'requester_left', message: problem })
  }
  expect((await decline(fiona, asked)).statusCode).toBe(200)
  expect(await read(fiona, asked)).toMatchObject({ state: 'declined', approvalProblem: null })
})

test('a request of who has another role now says so, and is declined alone (product 2.11)', async () => {
  await server.addOperator('flora', 'finance')
  const asked = await request(server.as('flora'))
  await server.sql(`UPDATE admins SET role = 'viewer' WHERE username = 'flora'`)
  const problem = 'flora, who has requested this, may not do it any more; decline it'
  expect(await read(fiona, asked)).toMatchObject({ approvalProblem: problem })
  expect((await approve(fiona, asked)).json()).toMatchObject({ code: 'requester_left', message: problem })
  await decline(fiona, asked)
})

const ownRules = async (by: typeof ada) =>
  (await by('GET', '/api/approval-rules/own')).json<{ rules: { action: string }[] }>().rules

test('an operator reads which of the own changes need an approval (product 2.11)', async () => {
  await setRule('cancel_order', { fromAmount: '5000', currency: 'EUR', roles: ['super_admin'] })
  await setRule('ban_user', { isOn: false })
  expect(await ownRules(fred)).toEqual([{ action: 'mark_order_paid', fromAmount: null, currency: null }])
  expect(await ownRules(ada)).toEqual(
    expect.arrayContaining([{ action: 'cancel_order', fromAmount: '5000.00', currency: 'EUR' }]),
  )
  expect((await ownRules(ada)).map(({ action }) => action)).not.toContain('ban_user')
  expect(await ownRules(vic)).toEqual([])
})
