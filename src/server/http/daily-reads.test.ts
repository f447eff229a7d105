import { beforeEach, expect, test } from 'vitest'
import { exportLimits, readEventShare, unlimitedReads } from '#contract/data-access.ts'
import { startSecondServer } from '#test/support/second-server.ts'
import { password, startServer } from '#test/support/server.ts'

const server = await startServer()
const limit = exportLimits.viewer!
const share = limit * readEventShare
await server.sql(
  `INSERT INTO members (id, email) SELECT 'm-' || n, 'm-' || n || '@example.com' FROM generate_series(1, 9) AS n`,
)
await server.addOperator('viewer', 'viewer')
await server.addOperator('chief', 'super_admin')
beforeEach(() => server.sql(`DELETE FROM data_access; DELETE FROM security_events WHERE event_type = 'bulk_reading'`))

/** Has an operator read as many different members, some hours ago. */
const haveRead = (username: string, members: number, { hours = 1, times = 1 } = {}) =>
  server.sql(
    `INSERT INTO data_access (admin_id, session_id, kind, rows, members, at)
     SELECT id, 1, 'members', $2, ARRAY(SELECT generate_series(1, $2)), now() - make_interval(hours => $3)
     FROM admins, generate_series(1, $4) WHERE username = $1`,
    [username, members, hours, times],
  )
const listEvents = () =>
  server.sql(`SELECT severity, description, details FROM security_events WHERE event_type = 'bulk_reading' ORDER BY id`)

/** A console on the same database, which remembers nothing of the reads so far, with a session of an operator. */
async function startConsole(username = 'viewer') {
  const second = await startSecondServer(server)
  const { app } = second
  const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { username, password } })
  const headers = { cookie: String(login.headers['set-cookie']).split(';')[0]! }
  return {
    close: () => second.close(),
    /** Lists one member, and waits until that is written and counted. */
    async read(page: number) {
      const reply = await app.inject({ url: `/api/users?limit=1&page=${page}`, headers })
      await app.dataAccess.close()
      return reply
    },
  }
}

test('who has read as many members as the role exports reads no further ones that day (product 6.9)', async () => {
  await haveRead('viewer', limit - 1, { hours: 22 })
  const one = await startConsole()
  expect((await one.read(1)).statusCode).toBe(200)
  const refused = await one.read(2)
  expect([refused.statusCode, refused.json()]).toEqual([
    429,
    {
      code: 'too_many_requests',
      message:
        'You have read 10,000 different members or payers within 24 hours. The role Viewer reads at most 10,000. ' +
        'Try again in 2 hours, or ask for a role that may read more.',
    },
  ])
  // By then enough of them were read more than a day ago.
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(7000)
  expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(7200)
  expect((await one.read(1)).statusCode).toBe(200)
  await one.close()
})

test('what an operator read on another server counts from the second page on (product 6.9)', async () => {
  await haveRead('viewer', limit)
  const other = await startConsole()
  expect((await other.read(1)).statusCode).toBe(200)
  expect((await other.read(2)).statusCode).toBe(429)
  await other.close()
  expect(await listEvents()).toMatchObject([
    { description: 'viewer has read 10,001 different members or payers within 24 hours' },
    {
      severity: 'high',
      details: { kind: 'members', refusal: expect.stringContaining('The role Viewer reads at most') },
    },
  ])
})

test.each([
  ['members who were read again', { times: 5 }],
  ['members of another day', { hours: 25 }],
])('%s do not count towards the limit (product 6.9)', async (_which, given) => {
  await haveRead('viewer', 'hours' in given ? limit : share - 3, given)
  const one = await startConsole()
  for (const page of [1, 2]) expect((await one.read(page)).statusCode).toBe(200)
  await one.close()
  expect(await listEvents()).toEqual([])
})

test('from half of the limit on reading is one high event a day (product 6.9)', async () => {
  await haveRead('viewer', share)
  for (const one of [await startConsole(), await startConsole()]) {
    for (const page of [1, 2]) expect((await one.read(page)).statusCode).toBe(200)
    await one.close()
  }
  expect(await listEvents()).toMatchObject([{ severity: 'high', details: { hours: 24, members: share + 1 } }])
})

test('a super admin is an event as well, and is never refused (product 6.9)', async () => {
  await haveRead('chief', unlimitedReads)
  const one = await startConsole('chief')
  for (const page of [1, 2]) expect((await one.read(page)).statusCode).toBe(200)
  await one.close()
  expect(await listEvents()).toMatchObject([{ details: { members: unlimitedReads + 1 } }])
})
