import { expect, test } from 'vitest'
import { makeMember, newAddress } from '#test/support/make.ts'
import { readAllTables, createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = createPlatformCaller(server)

const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const token = { projectName: 'Solar Park', tokenSymbol: 'SOL' }

test('a body with wrong fields is 400 that names each (product 10.2)', async () => {
  const put = (body: unknown, headers?: Record<string, string>) => call('PUT', '/members/bad-1', body, headers)
  const stands = await readAllTables(server)
  const wrong = await put({ email: 7, legalFirstName: 'x'.repeat(101), legalPhone: 7, createdAt: 'yesterday' })
  expect(wrong.statusCode).toBe(400)
  expect(wrong.json().details.map(({ field }: { field: string }) => field)).toEqual([
    'email',
    'legalFirstName',
    'legalPhone',
    'createdAt',
  ])
  const unknown = await put({ email: 'a@example.com', isAdmin: true })
  expect([unknown.statusCode, unknown.json().message]).toEqual([400, 'isAdmin: is not known here'])
  const misspelt = await put({ emial: 'a@example.com' })
  expect([misspelt.statusCode, misspelt.json()]).toEqual([
    400,
    {
      message: 'email: is missing; emial: is not known here',
      code: 'invalid',
      details: [
        { field: 'email', message: 'is missing' },
        { field: 'emial', message: 'is not known here' },
      ],
    },
  ])
  const names = Array.from({ length: 500 }, (_, n) => [`field${n}`, n])
  const { message, details } = (await put({ email: 'a@example.com', ...Object.fromEntries(names) })).json()
  expect([details.length, details.at(-1)]).toEqual([21, { field: 'body', message: 'and 480 more' }])
  expect(message).toMatch(/field19: is not known here; body: and 480 more$/)
  const nested = await call('PUT', '/members/bad-1/kyc/1', { step2: { dateOfBirth: '1991-03-14', country: 'PT' } })
  expect(nested.json().message).toBe(
    'step2.nationality: is missing; step2.countryOfResidence: is missing; step2.country: is not known here',
  )
  for (const [body, status] of [
    ['{', 400],
    ['', 400],
    ['[]', 400],
    ['null', 400],
    ['"\\u0000"', 400],
    [{ email: 'a\u0000@example.com' }, 400],
    [{ email: 'a@example.com', legalFirstName: 'x'.repeat(70_000) }, 413],
  ] as const)
    expect((await put(body)).statusCode, JSON.stringify(body).slice(0, 40)).toBe(status)
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'image/png',
    'application/json; charset=utf-16',
  ])
    expect((await put('{}', { 'content-type': type })).statusCode, type).toBe(415)
  expect(await readAllTables(server)).toEqual(stands)
})

test('paths that no id can be are refused, never a fault (product 10.2)', async () => {
  for (const path of ['/members/a%20b', '/members/%00', `/members/${'x'.repeat(65)}`])
    expect((await call('PUT', path, { email: 'a@example.com' })).statusCode, path).toBe(400)
  const { id } = await makeMember(server)
  for (const attempt of ['0', '-1', '1.5', '1001', '01', 'one', '9'.repeat(30)])
    expect((await call('PUT', `/members/${id}/kyc/${attempt}`, { step2 })).statusCode, attempt).toBe(400)
  for (const address of ['0x1', 'x', `0x${'g'.repeat(40)}`, '0x52908400098527886E0F7030069857D2E4169Ee7'])
    expect((await call('PUT', `/members/${id}/wallets/${address}`, {})).statusCode, address).toBe(400)
  expect((await call('PUT', `/tokens/other/${newAddress()}`, token)).statusCode).toBe(400)
})

test('without a key a call is 401 before its body is read (product 10.2)', async () => {
  const reply = await server.as(null)('PUT', '/api/platform/v1/members/m', '{', { 'content-type': 'application/json' })
  expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
})

test('half of a surrogate pair in an e-mail is refused by the name of its field (product 8.5)', async () => {
  const reply = await call('PUT', '/members/half-1', { email: 'a\ud800b@example.com' })
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'email: must be an e-mail address'])
  expect((await call('PUT', '/members/half-1', { email: 'a\u{1f642}b@example.com' })).statusCode).toBe(200)
})

test.each([
  ['null', 'body: must be an object'],
  ['[]', 'body: must be an object'],
  [{ email: 7 }, 'email: must be a text'],
  [{ email: null, legalPhone: {} }, 'email: must be a text; legalPhone: must be a text'],
])('the refusal of %j is in plain English', async (body, message) => {
  expect((await call('PUT', '/members/plain', body)).json()).toMatchObject({ code: 'invalid', message })
})
