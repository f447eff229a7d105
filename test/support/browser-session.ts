import { password, type TestServer } from './server.ts'

export interface Cookies {
  sid?: string
  device?: string
}
export const cookieHeader = (cookies: Cookies) =>
  Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')

/** Calls of a browser that signs in to `server`, with the cookies that it holds. */
export function createBrowserCalls(server: TestServer) {
  /** Signs in as a browser would; answers the reply and the cookies it set. */
  async function signIn(username: string, given: { password?: string; cookies?: Cookies; from?: string } = {}) {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { username, password: given.password ?? password },
      headers: { cookie: cookieHeader(given.cookies ?? {}), 'user-agent': 'Test Browser' },
      ...(given.from && { remoteAddress: given.from }),
    })
    const cookies: Cookies = Object.fromEntries(reply.cookies.map(({ name, value }) => [name, value]))
    return { reply, cookies }
  }
  const whoAmI = (cookies: Cookies, headers: Record<string, string> = {}) =>
    server.app.inject({ url: '/api/auth/user', headers: { ...headers, cookie: cookieHeader(cookies) } })
  return { signIn, whoAmI }
}
