import { afterAll } from 'vitest'
import { startProvider, type TestProvider } from './provider.ts'
import type { TestServer } from './server.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Starts an OpenID provider until the test file ends. */
export async function startProviderForFile(redirectUris: string[]): Promise<TestProvider> {
  const provider = await startProvider(redirectUris)
  afterAll(() => provider.stop())
  return provider
}

/** The cookies of one place, as a browser keeps them. */
class CookieJar {
  readonly #cookies = new Map<string, string>()
  take(lines: string[]) {
    for (const line of lines) {
      const [pair = ''] = line.split(';')
      const at = pair.indexOf('=')
      if (/expires=Thu, 01 Jan 1970|max-age=0/i.test(line)) this.#cookies.delete(pair.slice(0, at))
      else this.#cookies.set(pair.slice(0, at), pair.slice(at + 1))
    }
  }
  get header() {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }
  has(name: string) {
    return this.#cookies.has(name)
  }
}

/** A browser with the console and the provider, over HTTP alone. */
export class ProviderBrowser {
  readonly console = new CookieJar()
  readonly #provider = new CookieJar()
  readonly #server: TestServer

  constructor(server: TestServer) {
    this.#server = server
  }

  async call(method: Method, url: string, body?: object, headers: Record<string, string> = {}) {
    const reply = await this.#server.app.inject({
      method,
      url,
      ...(body && { payload: body }),
      headers: { cookie: this.console.header, 'user-agent': 'Test Browser', ...headers },
    })
    this.console.take([reply.headers['set-cookie'] ?? []].flat())
    return reply
  }

  /** Begins at the console. Returns the address at the provider. */
  async begin(path = '/api/auth/oidc/start', body: object | undefined = { returnTo: '/' }): Promise<string> {
    const reply = await this.call('POST', path, body)
    if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${reply.body}`)
    return reply.json().url
  }

  /** Signs in at the provider, where it asks for it. Returns the address of the console that it leads back to. */
  async signInAtProvider(address: string, form: Record<string, string>): Promise<string> {
    let url = address
    for (let hops = 0; hops < 12; hops++) {
      const isForm = url.includes('/interaction/')
      const reply = await fetch(url, {
        method: isForm ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { cookie: this.#provider.header },
        ...(isForm && { body: new URLSearchParams(form) }),
      })
      this.#provider.take(reply.headers.getSetCookie())
      const location = reply.headers.get('location')
      if (!location) throw new Error(`${reply.status} at ${url}: ${await reply.text()}`)
      url = new URL(location, url).href
      if (url.includes('/api/auth/oidc/callback')) return url
    }
    throw new Error('the provider leads round and round')
  }

  /** Comes back from the provider, as its redirect does: without the cookies that are SameSite=Strict. */
  async return(url: string) {
    const { pathname, search } = new URL(url)
    const lax = this.console.header.split('; ').filter((pair) => pair.startsWith('oidc='))
    const reply = await this.#server.app.inject({
      url: pathname + search,
      headers: { cookie: lax.join('; '), 'user-agent': 'Test Browser', 'sec-fetch-site': 'cross-site' },
    })
    this.console.take([reply.headers['set-cookie'] ?? []].flat())
    return reply
  }

  /** The whole sign-in of a subject. */
  async signIn(subject: string, form: Record<string, string> = {}) {
    const at = await this.begin()
    return this.return(await this.signInAtProvider(at, { account: subject, ...form }))
  }

  /** Who the console says is signed in; null for nobody. */
  async whoAmI(): Promise<{ username: string; role: string } | null> {
    const reply = await this.call('GET', '/api/account')
    return reply.statusCode === 200 ? reply.json().admin : null
  }
}
