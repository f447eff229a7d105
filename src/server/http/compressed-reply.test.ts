import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeMember } from '#test/support/make.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
for (let n = 0; n < 20; n++) await makeMember(server)
const read = (url: string, headers: Record<string, string> = {}) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${platformKey}`, ...headers } })
const members = '/api/platform/v1/members'

test.each([members, '/api/openapi.json'])('%s comes compressed to who takes gzip, and says the same', async (url) => {
  const plain = await read(url)
  expect(plain.headers).not.toHaveProperty('content-encoding')
  for (const accepted of ['gzip', 'br, gzip;q=0.8, *;q=0', 'GZIP']) {
    const packed = await read(url, { 'accept-encoding': accepted })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
    expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  }
  for (const accepted of ['gzip;q=0', 'identity', 'gzipped'])
    expect((await read(url, { 'accept-encoding': accepted })).headers, accepted).not.toHaveProperty('content-encoding')
})

test('a list that has not changed is 304 by its ETag, and in full once it has', async () => {
  const etag = String((await read(members)).headers.etag)
  const known = await read(members, { 'if-none-match': `"other", ${etag}`, 'accept-encoding': 'gzip' })
  expect([known.statusCode, known.body]).toEqual([304, ''])
  await makeMember(server)
  expect((await read(members, { 'if-none-match': etag })).statusCode).toBe(200)
})

test('an answer with a secret beside what others chose is never compressed', async () => {
  const { id } = await makeMember(server, { legalFirstName: 'a'.repeat(100) })
  const packed = { 'accept-encoding': 'gzip' }
  for (const url of ['/api/users?limit=1000', `/api/users/${id}`, '/api/account/sessions', '/api/auth/user']) {
    const reply = await server.as('ada')('GET', url, undefined, packed)
    expect([reply.statusCode, reply.headers['content-encoding']], url).toEqual([200, undefined])
  }
})
