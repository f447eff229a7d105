import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeMember } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { platformKey, startServer } from '#test/support/server.ts'

const server = await startServer()
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const json = { 'content-type': 'application/json' }
const refusal = { code: 'invalid', message: 'The body is not valid UTF-8' }

test('a platform call whose JSON is not valid UTF-8 is refused, and nothing is stored', async () => {
  const call = (bytes: Buffer) =>
    server.as(null)('PUT', '/api/platform/v1/members/m-latin', bytes, {
      ...json,
      authorization: `Bearer ${platformKey}`,
    })
  const body = '{"email":"jose@example.com","legalFirstName":"José"}'
  const refused = await call(latin1(body))
  expect([refused.statusCode, refused.json()]).toMatchObject([400, refusal])
  expect(await server.sql(`SELECT FROM members WHERE id = 'm-latin'`)).toEqual([])
  expect((await call(Buffer.from(body))).statusCode).toBe(200)
})

test('a console call whose JSON is not valid UTF-8 is refused, and nothing is changed', async () => {
  const { id } = await makeMember(server)
  const ban = (bytes: Buffer) => server.as('ada')('POST', `/api/users/${id}/ban`, bytes, json)
  const body = '{"reason":"Café"}'
  const refused = await ban(latin1(body))
  expect([refused.statusCode, refused.json()]).toMatchObject([400, refusal])
  expect(await server.sql('SELECT banned FROM members WHERE id = $1', [id])).toEqual([{ banned: false }])
  expect((await ban(Buffer.from(body))).statusCode).toBe(200)
})

test('a call without required fields takes an empty JSON body', async () => {
  const call = (method: 'PUT', path: string) =>
    server.as(null)(method, `/api/platform/v1/members/${path}`, Buffer.alloc(0), {
      ...json,
      authorization: `Bearer ${platformKey}`,
    })
  const { id } = await makeMember(server)
  expect((await call('PUT', `${id}/wallets/0x${'ce'.repeat(20)}`)).statusCode).toBe(200)
  const refused = await call('PUT', 'm-empty')
  expect([refused.statusCode, refused.json().code]).toEqual([400, 'invalid'])
})

test.each(['gzip', 'br', 'x-gzip, identity'])(
  'JSON that comes as %s is 415, packed or not, and says why',
  async (encoding) => {
    const body = '{"email":"packed@example.com"}'
    for (const payload of [gzipSync(body), body]) {
      const reply = await server.as(null)('PUT', '/api/platform/v1/members/m-packed', payload, {
        ...json,
        authorization: `Bearer ${platformKey}`,
        'content-encoding': encoding,
      })
      expect([reply.statusCode, reply.headers['accept-encoding']]).toEqual([415, 'identity'])
      expect(reply.json()).toMatchObject({
        code: 'unsupported_media_type',
        message: expect.stringMatching(/^JSON is taken uncompressed.*import.*gzip$/),
      })
    }
    expect(await server.sql(`SELECT FROM members WHERE id = 'm-packed'`)).toEqual([])
  },
)

test('JSON whose encoding is called identity is taken', async () => {
  const call = createPlatformCaller(server)
  const reply = await call(
    'PUT',
    '/members/m-plain',
    { email: 'plain@example.com' },
    { 'content-encoding': 'Identity' },
  )
  expect(reply.json()).toMatchObject({ outcome: 'created' })
})

test('a body that is empty or no JSON is refused as such', async () => {
  const call = createPlatformCaller(server)
  for (const body of ['', '{']) expect((await call('PUT', '/members/m-bad', body)).statusCode, body).toBe(400)
})

test.each(['__proto__', 'constructor', 'prototype', 'toString'])(
  'a field of the name %s is unknown by name',
  async (field) => {
    const call = createPlatformCaller(server)
    for (const value of ['{}', '{"prototype":{}}', '1']) {
      const reply = await call('PUT', '/members/m-bad', `{"email":"a@example.com","${field}":${value}}`)
      expect([reply.statusCode, reply.json()], value).toMatchObject([
        400,
        { code: 'invalid', details: [{ field, message: 'is not known here' }] },
      ])
    }
  },
)
