import { expect, test } from 'vitest'
import { createAdminCommand } from '#test/support/admin-command.ts'
import { password, startServer } from '#test/support/server.ts'
import { createAdmin, setPassword } from './admins.ts'
import { createSignInLink } from './sign-in-link.ts'

const server = await startServer()
const { app, system } = server
await createAdmin(system, 'ada', password)

const look = (link: string, method: 'GET' | 'HEAD' = 'GET') => app.inject({ method, url: new URL(link).pathname })
/** As a browser sends the page's form. */
const open = (link: string, headers: Record<string, string> = { 'sec-fetch-site': 'same-origin' }) =>
  app.inject({
    method: 'POST',
    url: new URL(link).pathname,
    payload: '',
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '0', ...headers },
  })
const deviceOf = (reply: Awaited<ReturnType<typeof open>>) => reply.cookies.find(({ name }) => name === 'device')?.value
const signIn = (device = '', given = password) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'ada', password: given },
    headers: { cookie: `device=${device}` },
  })
/** As strangers do it from many addresses. */
async function lockOut() {
  await signIn('', 'a wrong password')
  await server.sql(`UPDATE sign_in_throttles SET failures = 49 WHERE key ~ '^account:[^:]+$'`)
  await signIn('', 'a wrong password')
}

test('a locked-out admin signs in with the right password after opening the link', async () => {
  await setPassword(system, 'ada', password)
  await lockOut()
  expect((await signIn()).statusCode).toBe(429)
  const command = await createAdminCommand(server)
  const { code, out } = await command(['sign-in-link', 'ADA'])
  expect(code).toBe(0)
  const link = /^http:\/\/127\.0\.0\.1:3000\/sign-in-link\/\S{43}$/m.exec(out)?.[0]
  const reply = await open(link!)
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/login'])
  expect(reply.cookies).toMatchObject([{ name: 'device', httpOnly: true, sameSite: 'Strict' }])
  const device = deviceOf(reply)!
  expect((await signIn(device, 'a wrong password')).statusCode).toBe(401)
  expect((await signIn()).statusCode).toBe(429)
  expect((await signIn(device)).statusCode).toBe(200)
  expect(await server.sql(`SELECT details FROM audit_log WHERE action = 'create_sign_in_link'`)).toEqual([
    { details: { username: 'ada' } },
  ])
  expect(await server.sql(`SELECT severity FROM security_events WHERE event_type = 'sign_in_link_used'`)).toEqual([
    { severity: 'medium' },
  ])
})

test('a link works once, and neither after its time nor after a newer one was made', async () => {
  const used = await createSignInLink(system, 'ada')
  expect((await open(used)).statusCode).toBe(303)
  const replaced = await createSignInLink(system, 'ada')
  const expired = await createSignInLink(system, 'ada')
  await server.sql(`UPDATE sign_in_links SET expires_at = now() - interval '1 second'`)
  for (const link of [used, replaced, expired, 'http://x/sign-in-link/made-up']) {
    const reply = await open(link)
    expect(reply.statusCode).toBe(404)
    expect(deviceOf(reply)).toBeUndefined()
  }
})

test('a link is not used up by looking at it, and its page says what to press', async () => {
  const link = await createSignInLink(system, 'ada')
  for (const method of ['HEAD', 'GET', 'GET'] as const) {
    const reply = await look(link, method)
    expect([reply.statusCode, reply.cookies]).toEqual([200, []])
  }
  const { body, headers } = await look(link)
  expect(body).toContain('<form method="post"><button class="button">Continue</button></form>')
  expect(body).not.toMatch(/<script(?! src=)|<style| style=|\son\w+=/)
  expect(headers['content-security-policy']).toMatch(/script-src 'self'.*form-action 'self'/)
  expect((await open(link)).statusCode).toBe(303)
  const used = await look(link)
  expect([used.statusCode, used.body.includes('This link no longer works')]).toEqual([404, true])
})

test.each<Record<string, string>>([
  { 'sec-fetch-site': 'cross-site' },
  { origin: 'https://other.example' },
  { origin: 'null' },
])('the page of another site (%j) uses up no link', async (headers) => {
  const link = await createSignInLink(system, 'ada')
  expect((await open(link, headers)).statusCode).toBe(403)
  expect((await look(link)).statusCode).toBe(200)
})

test('a link opened twice at once makes one browser known', async () => {
  const link = await createSignInLink(system, 'ada')
  const replies = await Promise.all([open(link), open(link)])
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([303, 404])
})

test('the database holds no code of a link', async () => {
  await createSignInLink(system, 'ada')
  const [row] = await server.sql<{ kept: string }>(`SELECT encode(code_hash, 'hex') AS kept FROM sign_in_links`)
  expect(row!.kept).toHaveLength(64)
})

test('a sign-in where a link was opened is still reported as a new address', async () => {
  await createAdmin(system, 'bea', password)
  await server.sql(`UPDATE admins SET last_sign_in_at = now() WHERE username = 'bea'`)
  const device = deviceOf(await open(await createSignInLink(system, 'bea')))!
  await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'bea', password },
    headers: { cookie: `device=${device}` },
  })
  expect(await server.sql(`SELECT FROM security_events WHERE event_type = 'sign_in_new_address'`)).toHaveLength(1)
})
