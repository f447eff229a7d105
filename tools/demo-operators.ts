import { request, type APIRequestContext, type APIResponse, type Page } from '@playwright/test'
import { Secret, TOTP } from 'otpauth'

export const username = 'admin'
export const password = 'seven grey herons at noon'

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Mobile/15E148 Safari/604.1'

/** The first step of the sign-in form. */
export async function givePassword(page: Page) {
  await page.goto('/')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}

async function read(reply: APIResponse) {
  if (!reply.ok()) throw new Error(`${reply.url()}: ${reply.status()} ${await reply.text()}`)
  return reply.json()
}

async function signIn(baseURL: string, name: string, userAgent = firefox) {
  const client = await request.newContext({ baseURL, userAgent })
  await read(await client.post('/api/auth/login', { data: { username: name, password } }))
  return client
}

/** Invites operators, one of whom has yet to accept. */
async function inviteOperators(admin: APIRequestContext, baseURL: string) {
  const roles = {
    auditor: 'viewer',
    deputy: 'super_admin',
    finance: 'finance',
    reviewer: 'reviewer',
    support: 'viewer',
  }
  for (const [name, role] of Object.entries(roles)) {
    const { link } = await read(await admin.post('/api/operators', { data: { username: name, role } }))
    if (name === 'support') continue
    const invited = await request.newContext({ baseURL })
    const form = { password, repeated: password }
    const reply = await invited.post(new URL(link).pathname, { form, headers: { 'sec-fetch-site': 'same-origin' } })
    if (!reply.ok()) throw new Error(`the invitation of ${name}: ${reply.status()}`)
    await invited.dispose()
  }
}

async function setRules(admin: APIRequestContext) {
  const none = { isOn: true, fromAmount: null, currency: null, roles: null }
  const rules = {
    mark_order_paid: { ...none, fromAmount: '5000.00', currency: 'EUR' },
    undo_payment: { ...none, roles: ['finance'] },
    ban_user: none,
    change_operators: none,
  }
  const headers = { 'if-match': '"1"' }
  for (const [action, data] of Object.entries(rules))
    await read(await admin.put(`/api/approval-rules/${action}`, { data, headers }))
}

const ifMatch = ({ version }: { version: number }) => ({ 'if-match': `"${version}"` })

/** Requests what the rules want a second operator for, as operators who may do it. */
async function makeRequests(admin: APIRequestContext, baseURL: string) {
  const finance = await signIn(baseURL, 'finance')
  const { orders } = await read(await finance.get('/api/orders?status=waiting_payment&limit=100'))
  const large = orders.filter(
    (order: { investmentAmount: string; currency: string }) =>
      order.currency === 'EUR' && Number(order.investmentAmount) >= 5000,
  )
  const payment = { status: 'paid', notes: 'The payment is on the paper statement of the bank' }
  for (const order of large.slice(0, 2))
    await read(await finance.patch(`/api/orders/${order.id}/status`, { data: payment, headers: ifMatch(order) }))

  const deputy = await signIn(baseURL, 'deputy')
  const { users } = await read(await deputy.get('/api/users?limit=10&status=completed'))
  const data = { reason: 'Several accounts with one document' }
  // Not the first one, whose page has pictures of its own.
  const member = users.slice(1).find((user: { kycBanned: boolean }) => !user.kycBanned)
  await read(await deputy.post(`/api/users/${member.id}/ban`, { data, headers: ifMatch(member) }))

  const { operators } = await read(await admin.get('/api/operators'))
  const reviewer = operators.find((operator: { username: string }) => operator.username === 'reviewer')
  const role = { data: { role: 'finance' }, headers: ifMatch(reviewer) }
  await read(await admin.patch(`/api/operators/${reviewer.id}/role`, role))
}

/** Gives the admin an authenticator app. Returns the recovery codes. */
async function addApp(admin: APIRequestContext): Promise<string[]> {
  const { setup, secret } = await read(await admin.post('/api/account/factors/totp/options', { data: {} }))
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  const data = { name: 'Phone', setup, code }
  return (await read(await admin.post('/api/account/factors/totp', { data }))).recoveryCodes
}

/**
 * Adds what the demo platform does not have, since it has one operator: others, approval rules, requests that wait, and a second
 * factor of the admin. Returns the recovery codes that complete the admin's sign-ins.
 */
export async function prepareOperators(baseURL: string): Promise<string[]> {
  const admin = await signIn(baseURL, username)
  await inviteOperators(admin, baseURL)
  await setRules(admin)
  await makeRequests(admin, baseURL)
  const codes = await addApp(admin)
  for (const userAgent of [firefox, iPhone]) {
    const client = await request.newContext({ baseURL, userAgent })
    await read(await client.post('/api/auth/login', { data: { username, password } }))
    await read(await client.post('/api/auth/mfa/recovery', { data: { code: codes.pop() } }))
  }
  return codes
}
