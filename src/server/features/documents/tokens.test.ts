import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { documentTokenMinutes } from '#contract/documents.ts'
import { makeDocument, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const image = await sharp({ create: { width: 600, height: 380, channels: 3, background: '#d8c8b0' } })
  .jpeg()
  .toBuffer()

const makeOwned = async () => {
  const { id } = await makeMember(server)
  const document = await makeDocument(server, id, { bytes: image })
  return { userId: id, documentPath: document.key }
}
const ask = (body: unknown, as = ada) => as('POST', '/api/documents/token', body)
const tokenFor = async (document: { userId: string; documentPath: string }) => {
  const reply = await ask(document)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ token: string }>().token
}
const refusals = () =>
  server.sql(
    "SELECT severity, description, details FROM security_events WHERE event_type = 'document_token_refused' ORDER BY id",
  )

test("a token shows its member's document with its real type (product 8.2)", async () => {
  const document = await makeOwned()
  const token = await tokenFor(document)
  expect(token).toMatch(/^[\w-]{43}$/)
  const view = await ada('GET', `/api/documents/view/${token}`)
  expect(view.json()).toEqual({ token, ...document })
  const proxy = await ada('GET', `/api/documents/proxy/${token}`)
  expect(proxy.statusCode).toBe(200)
  expect(await sharp(proxy.rawPayload).metadata()).toMatchObject({ format: 'jpeg', width: 600, height: 380 })
  expect(proxy.headers).toMatchObject({
    'content-type': 'image/jpeg',
    'content-length': String(proxy.rawPayload.length),
    'content-disposition': 'inline; filename="document.jpg"',
    'content-security-policy': "default-src 'none'; sandbox",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

test('every token given out is an audit row on the member, without the token (product 6.9)', async () => {
  const document = await makeOwned()
  const token = await tokenFor(document)
  const rows = await server.sql('SELECT action, actor_name, target_type, details FROM audit_log WHERE target_id = $1', [
    document.userId,
  ])
  expect(rows).toEqual([
    {
      action: 'view_document',
      actor_name: 'ada',
      target_type: 'user',
      details: { documentPath: document.documentPath, kind: 'front' },
    },
  ])
  expect(JSON.stringify(rows)).not.toContain(token)
})

test('only the hash of a token is kept, for 10 minutes by the database clock (product 6.4)', async () => {
  const token = await tokenFor(await makeOwned())
  const hash = createHash('sha256').update(token).digest()
  const [row] = await server.sql<{ minutes: number }>(
    'SELECT extract(epoch FROM expires_at - now())::float / 60 AS minutes FROM document_tokens WHERE token_hash = $1',
    [hash],
  )
  expect(row!.minutes).toBeGreaterThan(documentTokenMinutes.valid - 0.5)
  expect(row!.minutes).toBeLessThanOrEqual(documentTokenMinutes.valid)
  const everything = await server.sql('SELECT document_tokens::text AS row FROM document_tokens')
  expect(JSON.stringify(everything)).not.toContain(token)
})

test('T5: a document of another member is 404 and a security event', async () => {
  const [mine, other] = [await makeOwned(), await makeOwned()]
  const before = (await refusals()).length
  const reply = await ask({ userId: mine.userId, documentPath: other.documentPath })
  expect([reply.statusCode, reply.json().message]).toEqual([404, 'Document not found'])
  expect((await refusals()).slice(before)).toMatchObject([
    {
      severity: 'high',
      description: 'ada asked for a document that this user does not have',
      details: { userId: mine.userId, documentPath: other.documentPath },
    },
  ])
})

test.each([
  '../../etc/passwd',
  '..\\..\\secret',
  '%2e%2e%2f',
  '/etc/passwd',
  'file:///etc/passwd',
  '//host/share',
  "x' OR '1'='1",
  'no-such-key',
])('T7: %j names no document, so it is 404', async (documentPath) => {
  const { userId } = await makeOwned()
  expect((await ask({ userId, documentPath })).statusCode).toBe(404)
})

test('a body that names no document is 400 and says what is wrong', async () => {
  const { userId, documentPath } = await makeOwned()
  for (const [body, problem] of [
    [undefined, 'documentPath'],
    [{ userId }, 'documentPath'],
    [{ documentPath }, 'userId'],
    [{ userId, documentPath: '' }, 'documentPath'],
    [{ userId, documentPath: 'a\0b' }, 'documentPath'],
    [{ userId, documentPath: 'x'.repeat(201) }, 'documentPath'],
    [{ userId: 7, documentPath }, 'userId'],
    [{ userId, documentPath, path: '/etc/passwd' }, 'path'],
  ] as const) {
    const reply = await ask(body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(problem)])
  }
})

test('T8: a token of another session is 404 everywhere and a security event', async () => {
  const token = await tokenFor(await makeOwned())
  for (const call of ['view', 'proxy']) {
    const before = (await refusals()).length
    const reply = await grace('GET', `/api/documents/${call}/${token}`)
    expect(reply.statusCode).toBe(404)
    expect((await refusals()).slice(before)).toMatchObject([
      { description: 'grace used a document token of another session' },
    ])
  }
  expect((await ada('GET', `/api/documents/view/${token}`)).statusCode).toBe(200)
  expect((await server.as(null)('GET', `/api/documents/proxy/${token}`)).statusCode).toBe(401)
})

test('an unknown or expired token is 404 (product 8.5)', async () => {
  const expired = await tokenFor(await makeOwned())
  await server.sql(
    `UPDATE document_tokens SET expires_at = now() - interval '1 second' WHERE token_hash = sha256($1::text::bytea)`,
    [expired],
  )
  for (const token of [expired, 'x', 'x'.repeat(43)]) {
    expect((await ada('GET', `/api/documents/view/${token}`)).json()).toMatchObject({ code: 'not_found' })
    const reply = await ada('GET', `/api/documents/proxy/${token}`)
    expect(reply.statusCode).toBe(404)
    expect(reply.headers['content-type']).toContain('application/json')
    expect(reply.json()).toEqual({
      message: 'This document token has expired or is not valid',
      suggestion: expect.stringContaining('open the document again'),
      status: 404,
      code: 'not_found',
    })
  }
})

test('an image that the store has lost is a 404 that says so', async () => {
  const { id } = await makeMember(server)
  const { key } = await makeDocument(server, id, { bytes: null })
  const token = await tokenFor({ userId: id, documentPath: key })
  const reply = await ada('GET', `/api/documents/proxy/${token}`)
  expect(reply.json()).toMatchObject({ status: 404, message: 'The image of this document is missing' })
})

test('a token dies with sign-out (product 6.4)', async () => {
  const linus = server.as('linus')
  const token = (await ask(await makeOwned(), linus)).json().token
  const count = () => server.sql('SELECT FROM document_tokens WHERE token_hash = sha256($1::text::bytea)', [token])
  expect(await count()).toHaveLength(1)
  await linus('POST', '/api/auth/logout')
  expect(await count()).toHaveLength(0)
})
