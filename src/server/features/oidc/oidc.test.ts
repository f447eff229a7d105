import { expect, test } from 'vitest'
import { ProviderBrowser, startProviderForFile } from '#test/support/provider-browser.ts'
import { providerSettings } from '#test/support/provider.ts'
import { password, startServer } from '#test/support/server.ts'

const provider = await startProviderForFile(['http://localhost/api/auth/oidc/callback'])
const server = await startServer({
  OIDC_ISSUER: provider.issuer,
  OIDC_NAME: 'Example ID',
  OIDC_ROLES: 'console-admins=super_admin, accounting=finance, auditors=viewer',
  ...providerSettings,
})
const ada = server.as('ada')
await ada('GET', '/api/account')

const openBrowser = () => new ProviderBrowser(server)
const setAccount = (subject: string, ...groups: string[]) =>
  provider.setAccount(subject, { preferred_username: subject, groups })
const rows = (text: string, ...values: unknown[]) => server.sql<Record<string, unknown>>(text, values)
const latestEvent = async () => (await rows('SELECT * FROM security_events ORDER BY id DESC LIMIT 1'))[0]
const findAdmin = async (username: string) => (await rows('SELECT * FROM admins WHERE username = $1', username))[0]

test('a person whose group has a role is made an operator at the first sign-in (product 2.10)', async () => {
  await setAccount('vera', 'everybody', 'auditors')
  const browser = openBrowser()
  const reply = await browser.signIn('vera')
  expect([reply.statusCode, reply.body.includes('data-message="signed-in" data-next="/"')]).toEqual([200, true])
  expect(await browser.whoAmI()).toMatchObject({ username: 'vera', role: 'viewer' })
  const audited = await rows(
    `SELECT actor_name, action, details - 'sessionId' AS details FROM audit_log ORDER BY id DESC LIMIT 2`,
  )
  expect(audited).toEqual([
    { actor_name: 'vera', action: 'login', details: { methods: ['oidc'] } },
    {
      actor_name: 'sign-in provider',
      action: 'create_admin',
      details: { username: 'vera', role: 'viewer', by: 'provider' },
    },
  ])
  expect(await rows(`SELECT issuer, subject FROM operator_identities`)).toEqual([
    { issuer: `${provider.issuer}/`, subject: 'vera' },
  ])
  expect(await findAdmin('vera')).toMatchObject({ password_hash: null })
})

test('the session has the cookie, device and time of any other (product 2.10)', async () => {
  await setAccount('dora', 'auditors')
  const browser = openBrowser()
  const reply = await browser.signIn('dora')
  const cookies = Object.fromEntries(reply.cookies.map(({ name, ...rest }) => [name, rest]))
  expect(cookies.sid).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  expect(cookies.device).toMatchObject({ httpOnly: true, sameSite: 'Strict' })
  expect(reply.headers['content-security-policy']).toContain("form-action 'none'")
  const again = await browser.signIn('dora')
  expect(again.cookies.map(({ name }) => name)).not.toContain('device')
  const [count] = await rows(`SELECT count(*)::int AS devices FROM known_devices d
    JOIN admins a ON a.id = d.admin_id WHERE username = 'dora'`)
  expect(count).toEqual({ devices: 1 })
  // The session that the browser had is ended by the new one.
  const [sessions] = await rows(`SELECT count(*)::int AS sessions FROM sessions s
    JOIN admins a ON a.id = s.admin_id WHERE username = 'dora'`)
  expect(sessions).toEqual({ sessions: 1 })
})

test('each of two sign-ins that one browser began can be finished', async () => {
  await setAccount('tess', 'auditors')
  const browser = openBrowser()
  const begun = [await browser.begin(), await browser.begin()]
  for (const at of begun) {
    const back = await browser.signInAtProvider(at, { account: 'tess' })
    expect((await browser.return(back)).statusCode).toBe(200)
    expect((await browser.return(back)).statusCode).toBe(400)
  }
})

test('of two first sign-ins at once one makes the operator', async () => {
  await setAccount('twin', 'auditors')
  const browsers = [openBrowser(), openBrowser()]
  const returns = await Promise.all(
    browsers.map(async (browser) => browser.signInAtProvider(await browser.begin(), { account: 'twin' })),
  )
  const replies = await Promise.all(browsers.map((browser, at) => browser.return(returns[at]!)))
  expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const ids = await Promise.all(browsers.map(async (browser) => (await browser.whoAmI())?.username))
  expect(ids).toEqual(['twin', 'twin'])
  expect(await rows(`SELECT username FROM admins WHERE username LIKE 'twin%'`)).toHaveLength(1)
})

test('the role follows the groups at each sign-in, and ends the other sessions', async () => {
  await setAccount('nora', 'auditors')
  const [first, second] = [openBrowser(), openBrowser()]
  await first.signIn('nora')
  await setAccount('nora', 'auditors', 'accounting')
  await second.signIn('nora')
  expect(await second.whoAmI()).toMatchObject({ username: 'nora', role: 'finance' })
  expect(await first.whoAmI()).toBeNull()
  const [row] = await rows(`SELECT actor_name, details FROM audit_log WHERE action = 'change_role'`)
  expect(row).toMatchObject({ actor_name: 'sign-in provider', details: { before: 'viewer', after: 'finance' } })
  expect(await rows(`SELECT severity FROM security_events WHERE event_type = 'operator_role_changed'`)).toHaveLength(1)
})

test('without a group that has a role nobody enters, and it is a security event', async () => {
  await setAccount('lost', 'everybody')
  const browser = openBrowser()
  const reply = await browser.signIn('lost')
  expect([reply.statusCode, reply.body.includes('None of your groups at Example ID has a role here')]).toEqual([
    403,
    true,
  ])
  expect(await browser.whoAmI()).toBeNull()
  expect(await findAdmin('lost')).toBeUndefined()
  expect(await latestEvent()).toMatchObject({
    event_type: 'provider_sign_in_refused',
    severity: 'medium',
    details: { cause: 'no_role', subject: 'lost' },
  })
})

test('the last active super admin keeps the role against the groups, with a high event', async () => {
  await setAccount('root', 'console-admins')
  const browser = openBrowser()
  await browser.signIn('root')
  await rows(`UPDATE admins SET disabled_at = now() WHERE username = 'ada'`)
  await setAccount('root', 'auditors')
  await browser.signIn('root')
  expect(await browser.whoAmI()).toMatchObject({ role: 'super_admin' })
  const kept = await rows(`SELECT severity FROM security_events WHERE event_type = 'operator_role_kept'`)
  expect(kept).toEqual([{ severity: 'high' }])
  await rows(`UPDATE admins SET disabled_at = NULL WHERE username = 'ada'`)
})

test('a disabled operator is refused at the return', async () => {
  await setAccount('mia', 'auditors')
  await openBrowser().signIn('mia')
  await rows(`UPDATE admins SET disabled_at = now() WHERE username = 'mia'`)
  const browser = openBrowser()
  const reply = await browser.signIn('mia')
  expect([reply.statusCode, reply.body.includes('Your access is closed')]).toEqual([403, true])
  expect(await browser.whoAmI()).toBeNull()
})

test('an operator of the same name is never taken for the person', async () => {
  await setAccount('ada', 'console-admins')
  const browser = openBrowser()
  const reply = await browser.signIn('ada')
  expect([reply.statusCode, reply.body.includes('Your name is taken here')]).toEqual([403, true])
  expect(await browser.whoAmI()).toBeNull()
  expect(await rows(`SELECT subject FROM operator_identities WHERE subject = 'ada'`)).toEqual([])
})

test("a provider's name that stands for the console makes no operator (product 2.7)", async () => {
  await setAccount('system', 'console-admins')
  const reply = await openBrowser().signIn('system')
  expect([reply.statusCode, reply.body.includes('Your name is taken here')]).toEqual([403, true])
  expect(await findAdmin('system')).toBeUndefined()
})

test('an invitation is accepted with the provider, once', async () => {
  await setAccount('sub-of-olga', 'accounting')
  const invited = await ada('POST', '/api/operators', { username: 'olga', role: 'viewer' })
  const path = new URL(invited.json().link).pathname
  const browser = openBrowser()
  const page = await browser.call('GET', path)
  expect(page.body).toContain('Accept with Example ID')
  const accept = async (by: ProviderBrowser) => {
    const started = await by.call('POST', `${path}/provider`, undefined, {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    })
    return String(started.headers.refresh).replace('0; url=', '')
  }
  const back = await browser.signInAtProvider(await accept(browser), { account: 'sub-of-olga' })
  expect((await browser.return(back)).statusCode).toBe(200)
  expect(await browser.whoAmI()).toMatchObject({ username: 'olga', role: 'finance' })
  await setAccount('another', 'accounting')
  const other = openBrowser()
  const late = await other.return(await other.signInAtProvider(await accept(other), { account: 'another' }))
  expect([late.statusCode, late.body.includes('This invitation no longer works')]).toEqual([403, true])
  const refused = await ada('POST', `/api/operators/${invited.json().operator.id}/invitation`)
  expect(refused.json()).toMatchObject({ code: 'operator_state' })
})

test('an operator links the own account, and then signs in by the provider', async () => {
  await server.addOperator('paula', 'finance')
  await setAccount('sub-of-paula', 'accounting')
  const browser = openBrowser()
  await browser.call('POST', '/api/auth/login', { username: 'paula', password })
  const at = await browser.begin('/api/account/provider')
  const linked = await browser.return(await browser.signInAtProvider(at, { account: 'sub-of-paula' }))
  expect([linked.statusCode, linked.body.includes('data-next="/account"')]).toEqual([200, true])
  const account = await browser.call('GET', '/api/account')
  expect(account.json().signInWays).toEqual(['password', 'provider'])
  const fresh = openBrowser()
  await fresh.signIn('sub-of-paula')
  expect(await fresh.whoAmI()).toMatchObject({ username: 'paula' })
})

test('what the provider says of a cancelled sign-in is told in our own words', async () => {
  const browser = openBrowser()
  const back = await browser.signInAtProvider(await browser.begin(), { cancel: '1' })
  expect(back).toContain('error=access_denied')
  const reply = await browser.return(back)
  expect([reply.statusCode, reply.body.includes('Example ID has signed nobody in')]).toEqual([403, true])
  expect(reply.body).not.toContain('text of the provider')
})

test('the address back is a path of the console alone', async () => {
  for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example', '/api/users', '/a\tb', '']) {
    const reply = await openBrowser().call('POST', '/api/auth/oidc/start', { returnTo })
    expect([returnTo, reply.statusCode]).toEqual([returnTo, 400])
  }
  const browser = openBrowser()
  await setAccount('path', 'auditors')
  const at = await browser.begin('/api/auth/oidc/start', { returnTo: '/orders?status=paid&search="x"' })
  const reply = await browser.return(await browser.signInAtProvider(at, { account: 'path' }))
  expect(reply.body).toContain('data-next="/orders?status=paid&amp;search=&quot;x&quot;"')
})

test('no token, claim or secret is kept', async () => {
  await provider.setAccount('quiet', {
    preferred_username: 'quiet',
    groups: ['auditors'],
    email: 'quiet@private.example',
  })
  const browser = openBrowser()
  const at = await browser.begin()
  const back = new URL(await browser.signInAtProvider(at, { account: 'quiet' }))
  await browser.return(back.href)
  const secrets = [back.searchParams.get('code')!, back.searchParams.get('state')!, 'private.example', 'eyJ']
  for (const table of ['oidc_flows', 'operator_identities', 'sessions', 'audit_log', 'security_events', 'admins']) {
    const kept = JSON.stringify(await rows(`SELECT to_jsonb(t) AS row FROM ${table} t`))
    for (const secret of secrets) expect(kept.includes(secret), `${table}: ${secret}`).toBe(false)
  }
})
