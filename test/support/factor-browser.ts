import { Secret, TOTP } from 'otpauth'
import { expect } from 'vitest'
import { createAuthenticator } from './authenticator.ts'
import { password, type TestServer } from './server.ts'

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

/** A browser with cookies of its own, at `localhost`, where passkeys work. */
export function openBrowser(server: TestServer, { from = '203.0.113.7', host = 'localhost' } = {}) {
  const cookies = new Map<string, string>()
  async function call(method: Method, url: string, body?: object, headers: Record<string, string> = {}) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const reply = await server.app.inject({
      method,
      url,
      headers: { host, cookie, ...headers },
      remoteAddress: from,
      ...(body && { payload: body }),
    })
    for (const { name, value } of reply.cookies)
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    return reply
  }
  return {
    cookies,
    call,
    signIn: (username: string, given = password) => call('POST', '/api/auth/login', { username, password: given }),
    mfa: (method: 'totp' | 'recovery', code: string) => call('POST', `/api/auth/mfa/${method}`, { code }),
    whoAmI: () => call('GET', '/api/auth/user'),
  }
}
export type TestBrowser = ReturnType<typeof openBrowser>

/** The code of an authenticator app. `steps` are 30 seconds each. */
export function showCode(secret: string, steps = 0, at = Date.now()): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at + steps * 30_000 })
}

/** A code that is not one of the present ones. */
export function showWrongCode(secret: string): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => showCode(secret, steps))
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.includes(code))!
}

/** Adds an authenticator app to anyone who the browser has signed in. Its present code is used up. */
export async function addApp(browser: Pick<TestBrowser, 'call'>, name = 'Phone') {
  const begun = await browser.call('POST', '/api/account/factors/totp/options')
  expect(begun.statusCode, begun.body).toBe(200)
  const { setup, secret, uri } = begun.json<{ setup: string; secret: string; uri: string }>()
  const reply = await browser.call('POST', '/api/account/factors/totp', { name, setup, code: showCode(secret) })
  expect(reply.statusCode, reply.body).toBe(200)
  const { factor, recoveryCodes } = reply.json<{ factor: { id: string }; recoveryCodes: string[] | null }>()
  return { id: factor.id, secret, uri, recoveryCodes }
}

/** Adds a passkey to anyone who the browser has signed in. */
export async function addPasskey(browser: TestBrowser, device = createAuthenticator(), name = 'Laptop') {
  const begun = await browser.call('POST', '/api/account/factors/passkey/options')
  expect(begun.statusCode, begun.body).toBe(200)
  const response = device.create(begun.json().options)
  const reply = await browser.call('POST', '/api/account/factors/passkey', { name, response })
  expect(reply.statusCode, reply.body).toBe(200)
  const { factor, recoveryCodes } = reply.json<{ factor: { id: string }; recoveryCodes: string[] | null }>()
  return { id: factor.id, device, recoveryCodes }
}

/** Makes an admin and signs in. */
export async function signInNew(server: TestServer, username: string, options?: Parameters<typeof openBrowser>[1]) {
  await server.addOperator(username, 'super_admin')
  const browser = openBrowser(server, options)
  expect((await browser.signIn(username)).json()).toHaveProperty('admin')
  return browser
}

/** Lets the present code of every authenticator app be used again, as it is after 30 seconds. */
export const forgetSteps = (server: TestServer) =>
  server.sql(`UPDATE admin_factors SET last_step = 0 WHERE kind = 'totp'`)

/** Puts the last authentication of every session into the past. */
export const ageAuthentication = (server: TestServer, minutes = 15) =>
  server.sql(`UPDATE sessions SET authenticated_at = authenticated_at - make_interval(mins => $1)`, [minutes])

let admins = 0
/** A name that no test has used. */
export const newName = (): string => `ada-${++admins}`

/** An admin with an authenticator app, and a browser that he has never used. */
export async function makeAppAdmin(server: TestServer) {
  const username = newName()
  const first = await signInNew(server, username)
  const app = await addApp(first)
  await forgetSteps(server)
  return { username, first, app, browser: openBrowser(server, { from: `198.51.100.${admins % 250}` }) }
}

/** An admin with a passkey, the browser in which he added it, and another one. */
export async function makePasskeyAdmin(server: TestServer) {
  const username = newName()
  const first = await signInNew(server, username)
  const { device, recoveryCodes } = await addPasskey(first)
  return { username, first, device, recoveryCodes, browser: openBrowser(server) }
}
