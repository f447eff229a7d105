import { describe, expect, onTestFinished, test } from 'vitest'
import { startSecondServer } from '#test/support/second-server.ts'
import { password, startServer } from '#test/support/server.ts'
import { createAdmin, setPassword } from './admins.ts'
import { limitSignIns } from './sign-in.ts'

const server = await startServer()

async function signIn(
  username: string,
  given: { password?: string; device?: string; from?: string } = {},
  app = server.app,
) {
  const reply = await app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { username, password: given.password ?? 'a wrong password' },
    headers: given.device ? { cookie: `device=${given.device}` } : {},
    remoteAddress: given.from ?? '192.0.2.1',
  })
  return { status: reply.statusCode, reply, device: reply.cookies.find(({ name }) => name === 'device')?.value }
}
async function fail(username: string, times: number, from?: string) {
  const statuses: number[] = []
  for (let at = 0; at < times; at++) statuses.push((await signIn(username, from ? { from } : {})).status)
  return statuses
}
/** As if the locks had run out; the counts stay. */
const openLocks = () =>
  server.sql(`UPDATE sign_in_throttles SET locked_until = now() - interval '1 second' WHERE locked_until IS NOT NULL`)
/** As if an account had failed so often already, from wherever. */
const setAccountFailures = (failures: number) =>
  server.sql(`UPDATE sign_in_throttles SET failures = $1 WHERE key ~ '^account:[^:]+$'`, [failures])
const startAnew = () => server.sql('DELETE FROM sign_in_throttles')
/** The database's, in seconds. */
const readClock = async () =>
  (await server.sql<{ at: number }>('SELECT extract(epoch FROM clock_timestamp())::float8 AS at'))[0]!.at
const eventsOf = (type: string) =>
  server.sql<{ severity: string; description: string }>(
    'SELECT severity, description FROM security_events WHERE event_type = $1 ORDER BY id',
    [type],
  )

describe('one account from one address', () => {
  test('five failures lock the account for a stated time', async () => {
    await createAdmin(server.system, 'ada', password)
    expect(await fail('ada', 5)).toEqual([401, 401, 401, 401, 401])
    // One second may pass on a busy machine.
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '15 minutes' WHERE locked_until IS NOT NULL`,
    )
    const { reply, status } = await signIn('ADA', { password })
    expect(status).toBe(429)
    expect(Number(reply.headers['retry-after'])).toBeGreaterThan(840)
    expect(reply.json()).toEqual({
      message: 'Too many failed sign-ins. Try again in 15 minutes.',
      code: 'too_many_requests',
    })
    expect(reply.cookies).toEqual([])
  })

  test('attempts while it is closed are not counted and do not keep it closed', async () => {
    const before = await server.sql('SELECT * FROM sign_in_throttles ORDER BY key')
    expect(await fail('ada', 3)).toEqual([429, 429, 429])
    expect(await server.sql('SELECT * FROM sign_in_throttles ORDER BY key')).toEqual(before)
  })

  test('a new server on the same database keeps it closed', async () => {
    const second = await startSecondServer(server)
    expect((await signIn('ada', { password }, second.app)).status).toBe(429)
    await second.close()
  })

  test('each further failure doubles the time, up to 15 minutes', async () => {
    await startAnew()
    await fail('ada', 4)
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      await openLocks()
      await server.sql(`UPDATE sign_in_throttles SET failures = 0 WHERE key LIKE 'address:%'`)
      const before = await readClock()
      expect((await signIn('ada')).status).toBe(401)
      const [lock] = await server.sql<{ until: number }>(
        `SELECT max(extract(epoch FROM locked_until))::float8 AS until FROM sign_in_throttles`,
      )
      // The lock begins between the two readings of the clock.
      expect(lock!.until - before).toBeGreaterThanOrEqual(seconds)
      expect(lock!.until - (await readClock())).toBeLessThanOrEqual(seconds)
    }
  })

  test('success starts the count again', async () => {
    await startAnew()
    await fail('ada', 4)
    expect((await signIn('ada', { password })).status).toBe(200)
    expect(await fail('ada', 4)).toEqual([401, 401, 401, 401])
    expect((await signIn('ada', { password })).status).toBe(200)
  })

  test('failures are forgotten after a day', async () => {
    await startAnew()
    await fail('ada', 4)
    await server.sql(`UPDATE sign_in_throttles SET window_started_at = now() - interval '25 hours'`)
    expect(await fail('ada', 4)).toEqual([401, 401, 401, 401])
    expect((await signIn('ada', { password })).status).toBe(200)
  })

  test.each([
    ['the dotted capital I', 'adm\u0130n\u0130strator'],
    ['the Kelvin sign', 'as\u212aer'],
  ])('a name written with %s shares the counter of its account', async (_what, written) => {
    await startAnew()
    const [row] = await server.sql<{ folded: string }>('SELECT lower($1) AS folded', [written])
    await createAdmin(server.system, row!.folded, password)
    await fail(row!.folded, 5)
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '15 minutes' WHERE key LIKE 'account:%'`,
    )
    expect((await signIn(written, { password })).status).toBe(429)
    await startAnew()
    expect((await signIn(written, { password })).status).toBe(200)
  })

  test('guesses sent at once pass no limit: of twenty exactly one is looked at', async () => {
    await startAnew()
    await fail('ada', 1)
    // The next failure locks for 15 minutes, more than any machine takes.
    await server.sql(`UPDATE sign_in_throttles SET failures = 14 WHERE key ~ '^account:.*:'`)
    const statuses = await Promise.all(Array.from({ length: 20 }, async () => (await signIn('ada')).status))
    expect(statuses.toSorted()).toEqual([401, ...Array<number>(19).fill(429)])
  })

  test('an unknown name is closed just like a known one', async () => {
    await startAnew()
    expect(await fail('nobody', 5, '192.0.2.50')).toEqual([401, 401, 401, 401, 401])
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '15 minutes' WHERE locked_until IS NOT NULL`,
    )
    expect(await fail('NoBody', 1, '192.0.2.50')).toEqual([429])
    expect(await fail('nobody', 1, '192.0.2.51')).toEqual([401])
  })

  test('failures are events, low then medium, and the lock is one of high severity (product 6.10)', async () => {
    await startAnew()
    await server.sql('DELETE FROM security_events')
    await createAdmin(server.system, 'bea', password)
    await fail('bea', 5)
    expect((await eventsOf('sign_in_failed')).map(({ severity }) => severity)).toEqual([
      'low',
      'low',
      'medium',
      'medium',
      'medium',
    ])
    expect(await eventsOf('sign_in_locked')).toEqual([
      { severity: 'high', description: 'Sign-in as bea is locked for this address after 5 failures in a row' },
    ])
    await openLocks()
    await signIn('bea', { password })
    expect(await eventsOf('sign_in_after_failures')).toEqual([
      { severity: 'medium', description: 'bea signed in after 5 failed attempts' },
    ])
  })
})

describe('strangers cannot lock the only admin out', () => {
  test('a heavily attacked account closes to unknown devices and not to known ones', async () => {
    await startAnew()
    await server.sql('DELETE FROM security_events')
    await createAdmin(server.system, 'carol', password)
    const { device } = await signIn('carol', { password })
    await fail('carol', 1, '198.51.100.1')
    await setAccountFailures(49)
    expect(await fail('carol', 2, '198.51.100.2')).toEqual([401, 429])
    expect(await eventsOf('sign_in_locked')).toEqual([
      {
        severity: 'critical',
        description: '50 failed sign-ins as carol from several addresses: closed to unknown devices for up to an hour',
      },
    ])
    const stranger = await signIn('carol', { password, from: '198.51.100.3' })
    expect(stranger.status).toBe(429)
    expect(Number(stranger.reply.headers['retry-after'])).toBeGreaterThan(3500)
    const owner = await signIn('carol', { password, device: device!, from: '198.51.100.4' })
    expect(owner.status).toBe(200)
    expect(owner.device).toBe(device)
  })

  test('a known device is not held up by a neighbour behind the same address', async () => {
    await startAnew()
    const { device } = await signIn('carol', { password })
    await fail('carol', 5)
    await server.sql(`UPDATE sign_in_throttles SET locked_until = now() + interval '1 hour'`)
    expect((await signIn('carol', { password })).status).toBe(429)
    expect((await signIn('carol', { password, device: device! })).status).toBe(200)
  })

  test('a known device signs in while guesses of strangers take every place', async () => {
    await startAnew()
    const { device } = await signIn('carol', { password })
    const { promise: end, resolve: endGuesses } = Promise.withResolvers<void>()
    onTestFinished(() => endGuesses())
    const guesses = Array.from({ length: 34 }, () => limitSignIns(() => end))
    expect((await signIn('carol', { password })).status).toBe(503)
    expect((await signIn('carol', { password, device: 'made-up' })).status).toBe(503)
    expect((await signIn('carol', { password, device: device! })).status).toBe(200)
    endGuesses()
    await Promise.all(guesses)
  })

  test('a known device has a limit of its own, and is unknown to other accounts', async () => {
    await startAnew()
    await createAdmin(server.system, 'dora', password)
    const { device } = await signIn('carol', { password })
    for (let at = 0; at < 5; at++) await signIn('carol', { device: device!, from: `198.51.100.${at}` })
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '60 seconds' WHERE locked_until IS NOT NULL`,
    )
    expect((await signIn('carol', { password, device: device!, from: '198.51.100.99' })).status).toBe(429)
    await fail('dora', 1, '198.51.100.50')
    await server.sql(`UPDATE sign_in_throttles SET locked_until = now() + interval '60 seconds'`)
    expect((await signIn('dora', { password, device: device!, from: '198.51.100.51' })).status).toBe(429)
    expect((await signIn('dora', { password, device: 'made-up', from: '198.51.100.51' })).status).toBe(429)
  })

  test('setting a password by command opens every lock of the account and no other', async () => {
    await startAnew()
    await fail('carol', 5)
    await fail('dora', 5)
    await server.sql(`UPDATE sign_in_throttles SET locked_until = now() + interval '1 hour' WHERE key LIKE 'account:%'`)
    await setPassword(server.system, 'carol', password)
    expect((await signIn('carol', { password })).status).toBe(200)
    expect((await signIn('dora', { password })).status).toBe(429)
  })
})

describe('one address', () => {
  test('thirty failures a minute close the network for every name', async () => {
    await startAnew()
    await server.sql('DELETE FROM security_events')
    const from = '203.0.113.1'
    await fail('name-0', 1, from)
    await server.sql(`UPDATE sign_in_throttles SET failures = 28 WHERE key LIKE 'address:%'`)
    expect(await fail('name-1', 1, from)).toEqual([401])
    expect(await fail('name-2', 1, from)).toEqual([401])
    expect(await fail('name-3', 1, from)).toEqual([429])
    expect(await fail('name-4', 1, '203.0.113.2')).toEqual([401])
    expect((await eventsOf('rate_limit_hit')).map(({ severity }) => severity)).toEqual(['medium'])
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() - interval '1 second', window_started_at = now() - interval '61 seconds'`,
    )
    expect(await fail('name-5', 1, from)).toEqual([401])
  })

  test('changing the last half of an IPv6 address changes nothing', async () => {
    await startAnew()
    await createAdmin(server.system, 'eve', password)
    for (let at = 0; at < 5; at++) await signIn('eve', { from: `2001:db8::${at + 1}` })
    await server.sql(
      `UPDATE sign_in_throttles SET locked_until = now() + interval '60 seconds' WHERE locked_until IS NOT NULL`,
    )
    expect((await signIn('eve', { password, from: '2001:db8:0:0:abcd::1' })).status).toBe(429)
    expect((await signIn('eve', { password, from: '2001:db8:0:1::1' })).status).toBe(200)
  })

  test('sixty failures a minute close all networks of one /48', async () => {
    await startAnew()
    await server.sql(`DELETE FROM security_events WHERE event_type = 'rate_limit_hit'`)
    await fail('name-0', 1, '2001:db8:5:1::1')
    await server.sql(`UPDATE sign_in_throttles SET failures = 58 WHERE key = 'site:2001:db8:5::/48'`)
    const statuses = []
    for (const net of [2, 3, 4]) statuses.push(...(await fail(`name-${net}`, 1, `2001:db8:5:${net}::1`)))
    expect(statuses).toEqual([401, 401, 429])
    expect(await fail('name-5', 1, '2001:db8:6:1::1')).toEqual([401])
    expect(await eventsOf('rate_limit_hit')).toEqual([
      { severity: 'medium', description: 'The networks of one /48 reached the limit of 60 failed sign-ins a minute' },
    ])
  })

  test('sign-ins that succeed do not count', async () => {
    await startAnew()
    for (const from of ['192.0.2.1', '192.0.2.1', '2001:db8:7::1'])
      expect((await signIn('eve', { password, from })).status).toBe(200)
    const rows = await server.sql<{ failures: number }>('SELECT failures FROM sign_in_throttles')
    expect(rows).toEqual([{ failures: 0 }, { failures: 0 }, { failures: 0 }])
  })
})
