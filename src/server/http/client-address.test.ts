import { expect, test } from 'vitest'
import { buildApp } from '#server/app.ts'
import { readConfig } from '#server/core/config.ts'
import { createLog } from '#server/process/log.ts'
import { password, startServer } from '#test/support/server.ts'
import { readNetwork, plainAddress } from './client-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1:2:3:4:5:6:7', '0:1:2:3::/64'],
  ['no address', 'no address'],
])('the place of %s is %s', (address, place) => {
  expect(readNetwork(address)).toBe(place)
})

test('an IPv4 address over an IPv6 socket is shown as usual', () => {
  expect(plainAddress('::ffff:10.0.0.1')).toBe('10.0.0.1')
  expect(plainAddress('::ffff:a00:1')).toBe('::ffff:a00:1')
})

const server = await startServer()

test.each([
  ['198.51.100.7', '198.51.100.7'],
  ['198.51.100.7:4711', '198.51.100.7'],
  ['[2001:db8::7]:4711', '2001:db8::7'],
  ['2001:db8::7', '2001:db8::7'],
  ['::ffff:198.51.100.7', '198.51.100.7'],
  ['<b>x</b>', '10.0.0.1'],
  ['198.51.100.7, unknown', '10.0.0.1'],
  ['198.51.100.7, not an address, 10.0.0.2', '10.0.0.2'],
  ['', '10.0.0.1'],
])('a trusted proxy that forwards for %j is written down as %s', async (forwarded, expected) => {
  const config = readConfig({ TRUST_PROXY: '10.0.0.0/24', DATABASE_URL: 'postgres://localhost/unused' })
  const lines: string[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(line) })
  const app = await buildApp({ ...server.services, config, log })
  await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username: 'nobody', password },
    headers: { 'x-forwarded-for': forwarded },
    remoteAddress: '10.0.0.1',
  })
  await app.close()
  const [row] = await server.sql('SELECT ip_address FROM audit_log ORDER BY id DESC LIMIT 1')
  expect(row).toEqual({ ip_address: expected })
  expect(lines.map((line) => JSON.parse(line).req?.ip).find(Boolean)).toBe(expected)
})
