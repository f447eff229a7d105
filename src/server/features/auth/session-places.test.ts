import { beforeEach, describe, expect, test } from 'vitest'
import { addApp, ageAuthentication, newName, openBrowser, showCode } from '#test/support/factor-browser.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer({ SESSION_NETWORK: 'step-up' })
const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36'
const newerChrome = chrome.replace('142', '143')
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0'
const home = '203.0.113.7'

beforeEach(() => server.sql('DELETE FROM security_events; DELETE FROM sign_in_throttles'))
const readEvents = () =>
  server.sql<{ severity: string; description: string; ip_address: string }>(
    `SELECT severity, description, ip_address FROM security_events WHERE event_type = 'session_new_place' ORDER BY id`,
  )

/** A session of a new admin, and what others do with its cookie. */
async function openSession(from = home) {
  const username = newName()
  const browser = openBrowser(server, { from })
  await server.as(username)('GET', '/api/auth/user')
  const reply = await browser.call('POST', '/api/auth/login', { username, password }, { 'user-agent': chrome })
  expect(reply.statusCode, reply.body).toBe(200)
  const use = (address: string, method: 'GET' | 'POST', url: string, body?: object, userAgent = chrome) => {
    const elsewhere = openBrowser(server, { from: address })
    for (const [name, value] of browser.cookies) elsewhere.cookies.set(name, value)
    return elsewhere.call(method, url, body, { 'user-agent': userAgent }).then((answer) => {
      const sid = elsewhere.cookies.get('sid')
      if (sid) browser.cookies.set('sid', sid)
      return answer
    })
  }
  const read = (address: string, userAgent?: string) => use(address, 'GET', '/api/users', undefined, userAgent)
  const change = (address: string, userAgent?: string) =>
    use(address, 'POST', '/api/users/nobody/ban', { reason: 'x' }, userAgent)
  return { username, browser, use, read, change }
}
const refusal = {
  code: 'step_up_required',
  message: 'This session is used from another network or browser than at sign-in: confirm it’s you',
  details: { methods: ['password'] },
}

describe('a session that is used from another network', () => {
  test('goes on reading, and is one medium event (product 2.9)', async () => {
    const { username, read } = await openSession()
    for (let n = 0; n < 3; n++) expect((await read('198.51.100.4')).statusCode).toBe(200)
    expect(await readEvents()).toEqual([
      {
        severity: 'medium',
        description: `A session of ${username} is used from another network (198.51.100.0/24 instead of 203.0.113.0/24) than at sign-in`,
        ip_address: '198.51.100.4',
      },
    ])
  })

  test('of 8 calls at once raises one event', async () => {
    const { read } = await openSession()
    await Promise.all(Array.from({ length: 8 }, () => read('198.51.100.4')))
    expect(await readEvents()).toHaveLength(1)
  })

  test('must be confirmed before a change, however recent the sign-in is (product 2.9)', async () => {
    const { change, use } = await openSession()
    const refused = await change('198.51.100.4')
    expect([refused.statusCode, refused.json()]).toEqual([403, refusal])
    const wrong = await use('198.51.100.4', 'POST', '/api/auth/step-up', {
      method: 'password',
      password: 'not this one',
    })
    expect(wrong.statusCode).toBe(401)
    expect((await change('198.51.100.4')).statusCode).toBe(403)
    const confirmed = await use('198.51.100.4', 'POST', '/api/auth/step-up', { method: 'password', password })
    expect(confirmed.statusCode, confirmed.body).toBe(200)
    expect((await change('198.51.100.4')).statusCode).toBe(404)
    expect((await change('192.0.2.9')).statusCode).toBe(403)
  })

  test('still takes changes from where it was opened, and from a neighbour there', async () => {
    const { read, change } = await openSession()
    await read('198.51.100.4')
    expect((await change(home)).statusCode).toBe(404)
    expect((await change('203.0.113.200')).statusCode).toBe(404)
  })

  test('an admin with a factor confirms by the factor', async () => {
    const { browser, use, change } = await openSession()
    const app = await addApp({
      ...browser,
      call: (method, url, body) => browser.call(method, url, body, { 'user-agent': chrome }),
    })
    expect((await change('198.51.100.4')).json().details).toEqual({ methods: ['totp', 'recovery'] })
    await ageAuthentication(server)
    const code = showCode(app.secret, 1)
    expect((await use('198.51.100.4', 'POST', '/api/auth/step-up', { method: 'totp', code })).statusCode).toBe(200)
    expect((await change('198.51.100.4')).statusCode).toBe(404)
  })

  test('addresses of one /64 are one network', async () => {
    const { change } = await openSession('2001:db8:1:2::7')
    expect((await change('2001:db8:1:2:ffff::1')).statusCode).toBe(404)
    expect((await change('2001:db8:1:3::7')).statusCode).toBe(403)
  })

  test('signs out without a confirmation', async () => {
    const { use, read } = await openSession()
    expect((await use('198.51.100.4', 'POST', '/api/auth/logout')).statusCode).toBe(204)
    expect((await read(home)).statusCode).toBe(401)
  })
})

describe('a session that is used with another browser', () => {
  test('must be confirmed, and a newer version is the same browser (product 2.9)', async () => {
    const { username, change } = await openSession()
    expect((await change(home, newerChrome)).statusCode).toBe(404)
    expect((await change(home, firefox)).json()).toEqual(refusal)
    expect((await change(home, '')).statusCode).toBe(403)
    expect((await readEvents()).map(({ description }) => description)).toEqual([
      `A session of ${username} is used from another browser (Firefox instead of Chrome) than at sign-in`,
      `A session of ${username} is used from another browser (Unknown device instead of Chrome) than at sign-in`,
    ])
  })

  test('is told in at most 20 places, and refused in all of them', async () => {
    const { change } = await openSession()
    for (let n = 0; n < 25; n++) expect((await change(home, `program-${n}/1`)).statusCode).toBe(403)
    expect(await readEvents()).toHaveLength(20)
  })
})

describe('SESSION_NETWORK', () => {
  test('event reports the session and takes its changes', async () => {
    const { change } = await openSession()
    server.services.config.sessionNetwork = 'event'
    expect((await change('198.51.100.4')).statusCode).toBe(404)
    expect(await readEvents()).toHaveLength(1)
  })

  test('off does neither', async () => {
    const { change } = await openSession()
    server.services.config.sessionNetwork = 'off'
    expect((await change('198.51.100.4')).statusCode).toBe(404)
    expect(await readEvents()).toEqual([])
    server.services.config.sessionNetwork = 'step-up'
  })
})

test('behind a trusted proxy the address of the client counts (product 2.9)', async () => {
  const proxied = await startServer({ SESSION_NETWORK: 'step-up', TRUST_PROXY: '10.0.0.0/8' })
  const browser = openBrowser(proxied, { from: '10.0.0.1' })
  await proxied.as('ada')('GET', '/api/auth/user')
  const from = (address: string) => ({ 'x-forwarded-for': address })
  await browser.call('POST', '/api/auth/login', { username: 'ada', password }, from(home))
  const change = (address: string) => browser.call('POST', '/api/users/nobody/ban', { reason: 'x' }, from(address))
  expect((await change(home)).statusCode).toBe(404)
  expect((await change('198.51.100.4')).statusCode).toBe(403)
})
