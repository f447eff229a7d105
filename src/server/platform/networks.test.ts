import { expect, test } from 'vitest'
import { createKey } from '#server/features/keys/keys.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const makeKey = async (name: string, allowedFrom: string[]) =>
  (await createKey(server.system, { name, allowedFrom })).key
const call = (key: string, from: string) =>
  server.app.inject({
    method: 'GET',
    url: '/api/platform/v1/orders',
    headers: { authorization: `Bearer ${key}` },
    remoteAddress: from,
  })
const listEvents = (type: string) =>
  server.sql(`SELECT severity, description, details, ip_address FROM security_events WHERE event_type = $1`, [type])

const networks = ['192.0.2.0/24', '198.51.100.7', '2001:db8:1::/48']
const key = await makeKey('shop', networks)

test.each(['192.0.2.1', '192.0.2.255', '198.51.100.7', '2001:db8:1::9', '::ffff:192.0.2.44'])(
  'a key is taken from %s, which is in its networks (product 10.1)',
  async (from) => expect((await call(key, from)).statusCode).toBe(200),
)

test.each(['192.0.3.1', '198.51.100.8', '2001:db8:2::1', '::ffff:203.0.113.1', 'fe80::1%eth0', '127.0.0.1'])(
  'a key is 403 from %s, which is in none of its networks (product 10.1)',
  async (from) => {
    const reply = await call(key, from)
    expect([reply.statusCode, reply.json()]).toEqual([
      403,
      { message: 'This platform key may not be used from this address', code: 'network_refused' },
    ])
  },
)

test('calls from other networks are one high event a key and minute, then 429 (product 6.10)', async () => {
  await server.sql('DELETE FROM security_events')
  const stolen = await makeKey('stolen', ['192.0.2.0/24'])
  const replies = await Promise.all(Array.from({ length: 40 }, (_, n) => call(stolen, `203.0.113.${n + 1}`)))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([
    ...Array<number>(30).fill(403),
    ...Array<number>(10).fill(429),
  ])
  expect(await listEvents('platform_key_network_refused')).toEqual([
    {
      severity: 'high',
      description: expect.stringMatching(
        /^Platform calls with the key stolen come from 203\.0\.113\.\d+, which is in none of its networks$/,
      ),
      details: { key: 'stolen' },
      ip_address: expect.stringMatching(/^203\.0\.113\./),
    },
  ])
  expect((await call(stolen, '192.0.2.9')).statusCode).toBe(200)
  expect(await server.sql(`SELECT last_used_from FROM platform_keys WHERE name = 'stolen'`)).toEqual([
    { last_used_from: '192.0.2.9' },
  ])
})

test('a revoked key is 401 from everywhere (product 10.1)', async () => {
  const old = await makeKey('old', ['192.0.2.0/24'])
  await server.sql(`UPDATE platform_keys SET revoked_at = now() WHERE name = 'old'`)
  for (const from of ['192.0.2.1', '203.0.113.1']) expect((await call(old, from)).statusCode).toBe(401)
})

test.each([
  '',
  '192.0.2.0/33',
  '192.0.2.1/24',
  '10',
  '192.168',
  'localhost',
  '2001:db8::1/48',
  '::/129',
  '1.2.3.4/',
  'x/8',
])('%j is not a network of a key (product 10.1)', async (network) => {
  await expect(makeKey('none', ['192.0.2.0/24', network])).rejects.toMatchObject({
    code: 'invalid',
    message: `from: "${network}" is not a network, such as 203.0.113.0/24, 203.0.113.7 or 2001:db8::/48`,
  })
  expect(await server.sql(`SELECT FROM platform_keys WHERE name = 'none'`)).toEqual([])
})

test('a network of IPv4 addresses in IPv6 form is refused, since it would never match', async () => {
  await expect(makeKey('none', ['::ffff:192.0.2.0/120'])).rejects.toThrow(/must be written as an IPv4 network/)
})
