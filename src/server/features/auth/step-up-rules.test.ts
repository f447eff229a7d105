import { afterEach, expect, test } from 'vitest'
import type { StepUpKind } from '#contract/step-up.ts'
import { allRoutes } from '#contract/schemas/routes.ts'
import { ageAuthentication, newName, signInNew, type TestBrowser } from '#test/support/factor-browser.ts'
import { makeMember, makeOrder } from '#test/support/make.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const browser = await signInNew(server, newName())
const ada = server.as('ada')
const setRule = (kind: StepUpKind, isOn: boolean, by = ada) => by('PUT', `/api/step-up-rules/${kind}`, { isOn })
const stepUp = () => browser.call('POST', '/api/auth/step-up', { method: 'password', password })
const readKinds = async () => (await ada('GET', '/api/approval-rules')).json().stepUp

afterEach(() => server.sql(`DELETE FROM settings WHERE name = 'step_up_rules'`))

const calls = allRoutes.flatMap(({ name, route }) =>
  route.stepUpKind ? [[name, route, route.stepUpKind] as const] : [],
)

test.each(calls)(
  '%s wants a recent sign-in where the rule of its kind is on (product 2.9)',
  async (_name, route, kind) => {
    // Fastify's own type of methods has more.
    const method = route.method as 'POST'
    const path = route.path.replace(':action', 'approve').replace(/:\w+/g, '1')
    const readCode = async () => (await browser.call(method, path, {})).json().code
    await ageAuthentication(server)
    expect(await readCode()).not.toBe('step_up_required')
    for (const other of (['money', 'kyc', 'bank_accounts'] as const).filter((each) => each !== kind)) {
      await stepUpAda()
      await setRule(other, true)
    }
    expect(await readCode()).not.toBe('step_up_required')
    await setRule(kind, true)
    expect(await readCode()).toBe('step_up_required')
  },
)

/** Lets the super admin who sets the rules have signed in just now. */
const stepUpAda = () =>
  server.sql(`UPDATE sessions SET authenticated_at = now() FROM admins a WHERE a.id = admin_id AND a.username = 'ada'`)

test('money, KYC decisions and bank accounts are the kinds that there are', () => {
  const ofKind = (kind: StepUpKind) => calls.filter(([, , each]) => each === kind).map(([name]) => name)
  expect(ofKind('money').toSorted()).toEqual([
    'allocations.apply',
    'allocations.applyExact',
    'allocations.undo',
    'allocations.undoAllocations',
    'orders.setStatus',
  ])
  expect(ofKind('kyc').toSorted()).toEqual(['kycReviews.review', 'members.decideKyc'])
  expect(ofKind('bank_accounts').toSorted()).toEqual(['bank.createAccount', 'bank.updateAccount'])
})

test('the same change passes after the operator has confirmed who it is (product 2.9)', async () => {
  const { id } = await makeOrder(server, (await makeMember(server)).id)
  const pay = (by: TestBrowser) => by.call('PATCH', `/api/orders/${id}/status`, { status: 'paid', notes: 'Seen' })
  await stepUpAda()
  await setRule('money', true)
  await ageAuthentication(server)
  const refused = await pay(browser)
  expect([refused.statusCode, refused.json()]).toEqual([
    403,
    {
      code: 'step_up_required',
      message: 'This needs a sign-in of the last 15 minutes: confirm it’s you',
      details: { methods: ['password'] },
    },
  ])
  expect((await ada('GET', `/api/orders/${id}`)).json().order.status).toBe('waiting_payment')
  expect((await stepUp()).statusCode).toBe(200)
  expect((await pay(browser)).statusCode).toBe(200)
})

test('a rule is switched by super admins alone, with an audit row and an event (product 2.9)', async () => {
  await server.addOperator('fred', 'finance')
  expect((await setRule('money', true, server.as('fred'))).json().code).toBe('forbidden')
  expect(await readKinds()).toEqual([])
  await stepUpAda()
  for (const isOn of [true, true, false]) await setRule('kyc', isOn)
  expect(await readKinds()).toEqual([])
  const rows = await server.sql(
    `SELECT details FROM audit_log WHERE action = 'set_step_up_rule' AND target_id = 'kyc' ORDER BY id DESC LIMIT 2`,
  )
  expect(rows).toEqual([
    { details: { kind: 'kyc', before: { isOn: true }, after: { isOn: false } } },
    { details: { kind: 'kyc', before: { isOn: false }, after: { isOn: true } } },
  ])
  const events = await server.sql(
    `SELECT severity, description FROM security_events WHERE event_type = 'step_up_rule_changed'
       AND details->>'kind' = 'kyc' ORDER BY id DESC LIMIT 2`,
  )
  expect(events).toEqual([
    { severity: 'high', description: 'ada has switched the recent sign-in off for “Approve, reject or reset KYC”' },
    { severity: 'medium', description: 'ada has switched the recent sign-in on for “Approve, reject or reset KYC”' },
  ])
})
