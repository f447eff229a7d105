import { expect, test } from 'vitest'
import { platformKey, startServer } from './support/server.ts'

const server = await startServer()
const key = { authorization: `Bearer ${platformKey}` }
const html = { accept: 'text/html,application/xhtml+xml' }

test('the description names the address at which the console listens', async () => {
  const elsewhere = await startServer({ PORT: '0', PUBLIC_URL: '' })
  const address = await elsewhere.app.listen({ host: '127.0.0.1', port: 0 })
  const { servers } = (await elsewhere.as('ada')('GET', '/api/openapi.json')).json<{ servers: { url: string }[] }>()
  expect(servers).toEqual([expect.objectContaining({ url: address })])
})

test('the description opens to an operator and to a platform key, and to nobody else (product 10.2)', async () => {
  for (const url of ['/api/openapi.json', '/api/docs']) {
    expect((await server.as('ada')('GET', url)).statusCode, url).toBe(200)
    expect((await server.as(null)('GET', url, undefined, key)).statusCode, url).toBe(200)
    const refused = await server.as(null)('GET', url, undefined, { accept: 'application/json' })
    expect(refused.statusCode, url).toBe(401)
    expect(refused.json(), url).toMatchObject({ code: 'unauthorized' })
    const wrong = await server.as(null)('GET', url, undefined, { ...html, authorization: 'Bearer wrong' })
    expect(wrong.json(), url).toMatchObject({ code: 'unauthorized' })
  }
})

test('who follows a link of another site to the page gets it by a second request', async () => {
  const visit = (site: string) => server.as(null)('GET', '/api/docs', undefined, { ...html, 'sec-fetch-site': site })
  // The first request lacks the session's cookie, which is SameSite=Strict.
  const [first, second] = [await visit('cross-site'), await visit('same-origin')]
  expect([first.statusCode, first.headers.refresh]).toEqual([401, '0'])
  expect([second.statusCode, second.headers.refresh]).toEqual([401, undefined])
})

test('the page runs nothing of its own and takes nothing from another host (product 10.2)', async () => {
  const page = await server.as('ada')('GET', '/api/docs', undefined, html)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'")
  expect(policy).toContain("require-trusted-types-for 'script'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  expect(page.body).toContain('/api/platform/v1/members/{id}')
  const out = await server.as(null)('GET', '/api/docs', undefined, html)
  expect(out.statusCode).toBe(401)
  expect(out.headers['content-security-policy']).toBe(policy)
  expect(out.body).toContain('href="/login"')
  expect(out.body).not.toContain('/api/platform/v1/members')
})
