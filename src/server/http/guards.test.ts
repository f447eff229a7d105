import { describe, expect, test } from 'vitest'
import { startServer } from '#test/support/server.ts'

const server = await startServer({ ALLOWED_HOSTS: 'console.local' })

describe('requests of another site', () => {
  const own = { 'sec-fetch-site': 'same-origin' }
  test.each([
    ['cross-site', { 'sec-fetch-site': 'cross-site' }],
    ['same-site, another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['fetch metadata said twice', { 'sec-fetch-site': 'same-origin, cross-site' }],
    ['cross-site with a friendly Origin', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost' }],
    ['a foreign Origin', { origin: 'https://evil.example' }],
    ['another port', { origin: 'http://localhost:8080' }],
    ['the null Origin of a sandboxed frame', { origin: 'null' }],
    ['no readable Origin', { origin: 'x y z' }],
  ])('%s is 403 and the session stands', async (_name, headers) => {
    await server.as('vera')('GET', '/api/auth/user')
    const before = await server.sql('SELECT * FROM sessions ORDER BY id')
    for (const url of ['/api/auth/logout', '/api/auth/login']) {
      const reply = await server.as('vera')('POST', url, undefined, headers)
      expect(reply.statusCode).toBe(403)
      expect(reply.json().code).toBe('forbidden')
    }
    expect(await server.sql('SELECT * FROM sessions ORDER BY id')).toEqual(before)
    expect((await server.as('vera')('GET', '/api/auth/user', undefined, headers)).statusCode).toBe(200)
  })

  test.each([
    ['its own pages', own],
    ['an address typed by hand', { 'sec-fetch-site': 'none' }],
    ['an older browser with the own Origin', { host: 'Console.local:3000', origin: 'http://console.local:3000' }],
    ['a proxy that rewrites the host', { origin: 'http://localhost' }],
    ['a program that is not a browser', {}],
  ])('%s may', async (_name, headers) => {
    expect((await server.as(null)('POST', '/api/auth/logout', undefined, headers)).statusCode).toBe(204)
  })
})
