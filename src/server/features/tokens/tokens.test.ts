import { expect, test } from 'vitest'
import { newAddress } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')

const newToken = (given: Record<string, unknown> = {}) => ({
  projectName: 'Solar Park',
  tokenSymbol: 'SOLR',
  contractAddress: newAddress(),
  ...given,
})
const add = (given: Record<string, unknown> = {}, kind = 'earning', as = ada) =>
  as('POST', `/api/tokens/${kind}`, newToken(given))
const added = async (given: Record<string, unknown> = {}, kind = 'earning') =>
  (await add(given, kind)).json().token as { id: string; contractAddress: string }
const toggle = (id: string, isActive: unknown, headers?: Record<string, string>, as = ada) =>
  as('PATCH', `/api/tokens/earning/${id}`, { isActive }, headers)
const trail = async (id: string) => ({
  audit: await server.sql(
    "SELECT action, actor_name, ip_address, details FROM audit_log WHERE target_type = 'token' AND target_id = $1 ORDER BY id",
    [id],
  ),
  events: await server.sql(
    `SELECT type, entity_type, payload FROM platform_events WHERE payload->>'tokenId' = $1 ORDER BY id`,
    [id],
  ),
})

test('a token is added with its defaults, audit row and event (product 9.5, 8.2)', async () => {
  const contractAddress = newAddress()
  const reply = await add({ contractAddress, projectName: ' Solar Park ', tokenSymbol: ' solr' })
  expect(reply.statusCode, reply.body).toBe(200)
  const fields = {
    logo: '🪙',
    projectName: 'Solar Park',
    projectLink: null,
    contractAddress,
    tokenSymbol: 'SOLR',
    decimals: 18,
    isActive: true,
  }
  const { message, token } = reply.json()
  expect(message).toBe('Token created successfully')
  expect(token).toEqual({ id: token.id, ...fields, version: 1, createdAt: expect.stringMatching(/Z$/), chain: null })
  expect(await trail(token.id)).toEqual({
    audit: [
      {
        action: 'create_token',
        actor_name: 'ada',
        ip_address: '127.0.0.1',
        details: { kind: 'earning', after: fields },
      },
    ],
    events: [
      { type: 'token.created', entity_type: 'token', payload: { tokenId: token.id, kind: 'earning', ...fields } },
    ],
  })
})

test('every field of the payload is kept (product 8.2)', async () => {
  const payload = newToken({ logo: '☀️', projectLink: 'https://solar.example/park', decimals: 0, isActive: false })
  const reply = await ada('POST', '/api/tokens/fractions', payload)
  expect(reply.json().token).toMatchObject(payload)
  expect((await add({ logo: ' ', projectLink: null }, 'fractions')).json().token).toMatchObject({
    logo: '🧩',
    projectLink: null,
  })
})

test('each kind is listed as a bare array, newest first (product 8.2, 4.2)', async () => {
  await server.sql('DELETE FROM tokens')
  for (const [symbol, kind] of [
    ['ONE', 'earning'],
    ['TWO', 'fractions'],
    ['THREE', 'earning'],
  ] as const)
    await add({ tokenSymbol: symbol }, kind)
  // Made in the same millisecond, the later one still stands first.
  await server.sql(`UPDATE tokens SET created_at = '2026-01-01T00:00:00Z'`)
  const symbols = async (kind: string) =>
    (await ada('GET', `/api/tokens/${kind}`)).json().map((token: { tokenSymbol: string }) => token.tokenSymbol)
  expect(await symbols('earning')).toEqual(['THREE', 'ONE'])
  expect(await symbols('fractions')).toEqual(['TWO'])
  expect((await ada('GET', '/api/tokens/other')).statusCode).toBe(400)
})

test.each(['projectName', 'tokenSymbol', 'contractAddress'])(
  'without %s it is 400 "Please fill in all required fields.", naming the field (product 9.5)',
  async (field) => {
    for (const missing of [undefined, null, '']) {
      const reply = await add({ [field]: missing })
      expect([reply.statusCode, reply.json()]).toEqual([
        400,
        {
          code: 'invalid',
          message: 'Please fill in all required fields.',
          details: [{ field, message: 'is required' }],
        },
      ])
    }
    if (field !== 'contractAddress') expect((await add({ [field]: '   ' })).statusCode).toBe(400)
  },
)

test.each([
  ['contractAddress', '0x12'],
  ['contractAddress', 'not an address'],
  ['contractAddress', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['decimals', 19],
  ['decimals', -1],
  ['decimals', 1.5],
  ['decimals', '18'],
  ['logo', 'abc'],
  ['logo', '🪙🧩☀️'],
  ['logo', '\u200d'],
  ['tokenSymbol', 'ß'.repeat(17)],
  ['projectLink', 'javascript:alert(1)'],
  ['projectLink', 'ftp://example.com'],
  ['projectLink', 'https://user:secret@example.com'],
  ['projectLink', 'example.com'],
  ['projectName', 'x'.repeat(101)],
  ['isActive', 'yes'],
  ['colour', 'red'],
])('%s %j is 400 naming the field (product 6.7)', async (field, value) => {
  const reply = await add({ [field]: value })
  expect(reply.statusCode).toBe(400)
  expect(reply.json().message).toContain(field)
})

test('a logo of two characters counts flags and families as one each (product 6.7)', async () => {
  expect((await add({ logo: '🇵🇹👨‍👩‍👧' })).json().token.logo).toBe('🇵🇹👨‍👩‍👧')
})

test('a checksummed address is kept in lower case (product 6.7)', async () => {
  const { token } = (
    await add({
      contractAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
      projectLink: ' HTTPS://Solar.Example/Park ',
    })
  ).json()
  expect(token).toMatchObject({
    contractAddress: '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    projectLink: 'https://solar.example/Park',
  })
})

test('an address is unique per kind, and the refusal names the existing token (product 6.7)', async () => {
  const contractAddress = newAddress()
  await add({ contractAddress, projectName: 'First Project', tokenSymbol: 'FST' })
  const again = await add({ contractAddress: contractAddress.toUpperCase().replace('X', 'x') }, 'earning', grace)
  expect(again.statusCode).toBe(409)
  expect(again.json()).toMatchObject({
    code: 'token_taken',
    message: expect.stringMatching(
      /^contractAddress: .*Earning Tokens as First Project \(FST\), active \(set by ada on [A-Z][a-z]{2} \d\d, 20/,
    ),
    details: [{ field: 'contractAddress', message: expect.stringContaining('First Project') }],
  })
  expect((await add({ contractAddress }, 'fractions')).statusCode).toBe(200)
})

test('one of 10 simultaneous adds of one address wins', async () => {
  const contractAddress = newAddress()
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      add({ contractAddress, tokenSymbol: `S${index}` }, 'earning', index % 2 ? ada : grace),
    ),
  )
  const statuses = replies.map((reply) => reply.statusCode)
  expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  expect(statuses.filter((status) => status === 409)).toHaveLength(9)
  const { token } = replies.find((reply) => reply.statusCode === 200)!.json()
  for (const refused of replies.filter((reply) => reply.statusCode === 409))
    expect(refused.json().message).toContain(token.tokenSymbol)
  expect(await server.sql('SELECT id::text FROM tokens WHERE contract_address = $1', [contractAddress])).toEqual([
    { id: token.id },
  ])
  const { audit, events } = await trail(token.id)
  expect([audit.length, events.length]).toEqual([1, 1])
})

test('a token is switched off and on with audit row and event (product 7.5)', async () => {
  const { id } = await added()
  const off = await toggle(id, false, undefined, grace)
  expect(off.statusCode, off.body).toBe(200)
  expect(off.json()).toMatchObject({
    message: 'Token status updated successfully',
    token: { id, isActive: false, version: 2 },
  })
  expect((await toggle(id, true)).json().token).toMatchObject({ isActive: true, version: 3 })
  const { audit, events } = await trail(id)
  expect(audit.slice(1)).toMatchObject([
    {
      action: 'update_token',
      actor_name: 'grace',
      details: { kind: 'earning', tokenSymbol: 'SOLR', before: { isActive: true }, after: { isActive: false } },
    },
    { actor_name: 'ada', details: { before: { isActive: false }, after: { isActive: true } } },
  ])
  expect(events.slice(1)).toMatchObject([
    { type: 'token.updated', payload: { tokenId: id, kind: 'earning', isActive: false } },
    { type: 'token.updated', payload: { isActive: true } },
  ])
})

test('a token switched to the state it has is 200, changes nothing and tells nobody', async () => {
  const { id } = await added()
  const replies = await Promise.all(Array.from({ length: 6 }, () => toggle(id, false)))
  for (const reply of replies) expect(reply.json().token).toMatchObject({ isActive: false, version: 2 })
  const { audit, events } = await trail(id)
  expect([audit.length, events.length]).toEqual([2, 2])
})

test('a stale If-Match is 409 and says how the token stands, by whom and since when (product 8.4)', async () => {
  const { id } = await added()
  const replies = await Promise.all([ada, grace].map((operator) => toggle(id, false, { 'if-match': '"1"' }, operator)))
  expect(replies.map((reply) => reply.statusCode).toSorted()).toEqual([200, 409])
  const stale = await toggle(id, true, { 'if-match': '"1"' })
  expect(stale.json()).toMatchObject({
    code: 'stale',
    message: expect.stringMatching(/changed meanwhile, last set by (ada|grace) on .* UTC: now inactive/),
    details: { version: 2, isActive: false },
  })
  expect((await toggle(id, true, { 'if-match': '"2"' })).statusCode).toBe(200)
})

test('an unknown token, or one of the other kind, is 404', async () => {
  const { id } = await added({}, 'fractions')
  expect((await toggle(id, false)).json()).toMatchObject({ code: 'not_found', message: 'Token not found' })
  expect((await toggle('999999', false)).statusCode).toBe(404)
  expect((await toggle('abc', false)).statusCode).toBe(400)
  expect((await toggle(id, undefined)).json().message).toContain('isActive')
})

test('a token that cannot be recorded is not there', async () => {
  const contractAddress = newAddress()
  await server.sql('ALTER TABLE messages ADD CONSTRAINT refuse_all CHECK (false) NOT VALID')
  const reply = await add({ contractAddress })
  await server.sql('ALTER TABLE messages DROP CONSTRAINT refuse_all')
  expect(reply.statusCode).toBe(500)
  expect(await server.sql('SELECT id FROM tokens WHERE contract_address = $1', [contractAddress])).toEqual([])
})

test('Active Tokens counts both kinds, and what is switched off no longer (product 5.2)', async () => {
  const figure = async () => (await ada('GET', '/api/analytics')).json()
  await server.sql('DELETE FROM tokens')
  const { id } = await added()
  await add({}, 'fractions')
  expect(await figure()).toMatchObject({ activeTokens: 2, tokens: { total: 2, activeEarning: 1, activeFractions: 1 } })
  await toggle(id, false)
  expect(await figure()).toMatchObject({ activeTokens: 1, tokens: { total: 2, activeEarning: 0 } })
})
