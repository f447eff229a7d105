import { beforeEach, expect, test } from 'vitest'
import type { Analytics, Registrations } from '#contract/schemas/analytics.ts'
import { makeMember, makeMembers, makeTransaction } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const call = server.as('ada')
const get = async <T>(url: string) => {
  const reply = await call('GET', url)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<T>()
}
const figures = (timeZone = 'UTC') => get<Analytics>(`/api/analytics?timeZone=${timeZone}`)

beforeEach(async () => {
  // Payments of orders are only ever added, so that members can't be truncated with all that refers to them.
  await server.sql('DELETE FROM platform_transactions')
  await server.sql('DELETE FROM members')
  await server.sql('TRUNCATE tokens, list_deltas, list_totals, list_days')
})

const addToken = (n: number, kind: string, isActive: boolean) =>
  server.sql(
    `INSERT INTO tokens (kind, logo, project_name, contract_address, token_symbol, is_active)
     VALUES ($1, '🪙', 'Lisbon', '0x' || lpad($2, 40, '0'), 'LIS', $3)`,
    [kind, String(n), isActive],
  )
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString()
const zones = ['UTC', 'Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu']
/** The oracle: an instant's calendar day, by another path than the code under test. */
const dayIn = (timeZone: string, at: string) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date(at))
const now = () => new Date().toISOString()
const shift = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)

test('with no data every figure is zero and every rate 0.0 (product 5.2)', async () => {
  expect(await figures()).toEqual({
    totalUsers: 0,
    pendingKyc: 0,
    activeTokens: 0,
    todayTransactions: 0,
    kycApprovalRates: { approved: '0.0', pending: '0.0', rejected: '0.0' },
    kycCounts: { approved: 0, pending: 0, rejected: 0 },
    newUsersLast7Days: 0,
    oldestPendingKyc: null,
    tokens: { total: 0, activeEarning: 0, activeFractions: 0 },
    yesterdayTransactionsByNow: 0,
    unreconciled: [],
  })
})

test('members are counted exactly before and after counts are folded (product 5.2)', async () => {
  const kycSubmittedAt = hoursAgo(50)
  await makeMember(server, { id: 'm-1' })
  await makeMember(server, { id: 'm-2', kycStatus: 'submitted', kycSubmissionCount: 1, kycSubmittedAt: hoursAgo(2) })
  await makeMember(server, {
    id: 'm-3',
    kycStatus: 'under_review',
    kycSubmissionCount: 2,
    kycSubmittedAt,
    banned: true,
  })
  await makeMember(server, { id: 'm-4', kycStatus: 'pending', kycSubmissionCount: 1, kycSubmittedAt: hoursAgo(90) })
  await makeMember(server, { id: 'm-5', kycStatus: 'pending' })
  await makeMember(server, { id: 'm-6', kycStatus: 'rejected', kycSubmissionCount: 1 })
  await makeMember(server, { id: 'm-7', kycStatus: 'approved', kycSubmissionCount: 1, banned: true })
  await makeMember(server, { id: 'm-8', kycStatus: 'approved' })
  const expected = {
    totalUsers: 8,
    pendingKyc: 2,
    kycCounts: { approved: 1, pending: 3, rejected: 1 },
    kycApprovalRates: { approved: '20.0', pending: '60.0', rejected: '20.0' },
    oldestPendingKyc: kycSubmittedAt,
  }
  expect(await figures()).toMatchObject(expected)
  await server.sql(
    `WITH taken AS (DELETE FROM list_deltas RETURNING list, leaf, rows)
     INSERT INTO list_totals (list, leaf, rows) SELECT list, leaf, sum(rows) FROM taken GROUP BY 1, 2`,
  )
  expect(await figures()).toMatchObject(expected)
  await server.sql(`UPDATE members SET kyc_status = 'rejected' WHERE id = 'm-3'`)
  expect(await figures()).toMatchObject({ totalUsers: 8, pendingKyc: 1, kycCounts: { pending: 2, rejected: 2 } })
  await server.sql(`DELETE FROM members WHERE id = 'm-1'`)
  expect(await figures()).toMatchObject({ totalUsers: 7 })
})

test('Active Tokens counts both kinds, beside all there are (product 5.2)', async () => {
  await addToken(1, 'earning', true)
  await addToken(2, 'earning', true)
  await addToken(3, 'earning', false)
  await addToken(4, 'fractions', true)
  expect(await figures()).toMatchObject({ activeTokens: 3, tokens: { total: 4, activeEarning: 2, activeFractions: 1 } })
})

test("Today's Transactions are those since midnight in the asked zone (product 5.2)", async () => {
  const member = await makeMember(server)
  const instants = Array.from({ length: 96 }, (_, i) => hoursAgo(i / 1.5 + 0.1))
  for (const createdAt of instants) await makeTransaction(server, member.id, { createdAt })
  for (const timeZone of zones) {
    const clock = (at: string) => new Date(at).toLocaleTimeString('sv-SE', { timeZone })
    const yesterday = dayIn(timeZone, hoursAgo(24))
    const { todayTransactions, yesterdayTransactionsByNow } = await figures(timeZone)
    expect(todayTransactions, timeZone).toBe(
      instants.filter((at) => dayIn(timeZone, at) === dayIn(timeZone, now())).length,
    )
    expect(yesterdayTransactionsByNow, timeZone).toBe(
      instants.filter((at) => dayIn(timeZone, at) === yesterday && clock(at) <= clock(now())).length,
    )
  }
})

test('registrations fall into days and weeks of the asked zone (product 5.1)', async () => {
  const instants = Array.from({ length: 460 }, (_, i) => hoursAgo(i * 11 + 0.1)).filter((_, i) => i % 9 < 5)
  await server.sql(
    `INSERT INTO members (id, email, created_at)
     SELECT 'm-' || n, n || '@example.com', at FROM unnest($1::timestamptz[]) WITH ORDINALITY AS instants(at, n)`,
    [instants],
  )
  for (const timeZone of zones) {
    const days = instants.map((at) => dayIn(timeZone, at))
    for (const [period, count, width] of [
      ['7d', 7, 1],
      ['30d', 30, 1],
      ['3m', 13, 7],
    ] as const) {
      const reply = await get<Registrations>(`/api/analytics/registrations?period=${period}&timeZone=${timeZone}`)
      const within = (start: string) => days.filter((day) => day >= start && day < shift(start, width)).length
      expect(reply.points).toHaveLength(count)
      const today = dayIn(timeZone, now())
      const last = reply.points.at(-1)!.start
      expect(last <= today && today < shift(last, width), `${period} ${timeZone} ends with ${last}`).toBe(true)
      if (width === 7) expect(new Date(last).getUTCDay()).toBe(1)
      for (const [i, point] of reply.points.entries()) {
        const start = shift(last, (i - count + 1) * width)
        expect(point).toEqual({ start, registrations: within(start), previous: within(shift(start, -count * width)) })
      }
      expect(reply.total).toBe(reply.points.reduce((sum, point) => sum + point.registrations, 0))
      expect(reply.previousTotal).toBe(reply.points.reduce((sum, point) => sum + point.previous, 0))
    }
  }
})

test('the card of new users and the 7-day chart agree', async () => {
  await makeMembers(server, 12, (index) => ({ createdAt: hoursAgo(index * 20) }))
  for (const timeZone of zones) {
    const chart = await get<Registrations>(`/api/analytics/registrations?timeZone=${timeZone}`)
    expect(chart.period).toBe('7d')
    expect((await figures(timeZone)).newUsersLast7Days).toBe(chart.total)
  }
})

test.each(['/api/analytics', '/api/analytics/registrations', '/api/analytics/report'])(
  '%s refuses a time zone that does not exist, naming timeZone (product 8.5)',
  async (url) => {
    for (const zone of ['Mars/Olympus', "UTC'; DROP TABLE members; --", 'x'.repeat(1000)]) {
      const reply = await call('GET', `${url}?timeZone=${encodeURIComponent(zone)}`)
      expect(reply.statusCode).toBe(400)
      expect(reply.json().message).toContain('timeZone')
    }
  },
)

test('an unknown period is refused by name, and an empty zone means UTC (product 4.3)', async () => {
  const reply = await call('GET', '/api/analytics/registrations?period=1y')
  expect(reply.statusCode).toBe(400)
  expect(reply.json().message).toContain('period')
  expect(await get<Registrations>('/api/analytics/registrations?timeZone=')).toMatchObject({ timeZone: 'UTC' })
})

test('nobody who is not signed in sees a figure (product 8.5)', async () => {
  for (const url of ['/api/analytics', '/api/analytics/registrations', '/api/analytics/report'])
    expect((await server.as(null)('GET', url)).statusCode).toBe(401)
  expect(await server.sql(`SELECT 1 FROM audit_log WHERE actor_name <> 'ada' AND action = 'export_report'`)).toEqual([])
})

/** Reads RFC 4180 back, cell by cell. */
function parseCsv(text: string) {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\r\n') rows.push([])
    if (end === '') break
  }
  return rows.slice(0, -1)
}

test("the report holds the dashboard's figures and lists, and is audited (product 5.1, 6.9)", async () => {
  const [older, newer] = [hoursAgo(3), hoursAgo(2)]
  const formula = '=HYPERLINK("http://x")'
  const a = {
    id: 'm-a',
    email: 'a@example.com',
    legalFirstName: formula,
    kycStatus: 'approved' as const,
    membershipId: 'MB-1',
  }
  const b = { id: 'm-b', email: 'b@example.com', legalFirstName: 'Ana, "Lima"' }
  await makeMember(server, { ...a, kycSubmissionCount: 1, createdAt: older })
  await makeMember(server, { ...b, createdAt: newer })
  const huge = '123456789012345678901234567890.000000000000000001'
  await makeTransaction(server, 'm-a', { id: 't-1', type: 'withdrawal', amount: '1180.50', createdAt: older })
  await makeTransaction(server, 'm-a', { id: 't-2', type: 'deposit', amount: huge, createdAt: newer })
  const reply = await call('GET', '/api/analytics/report?timeZone=Europe/Lisbon')
  expect(reply.statusCode).toBe(200)
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8')
  const fileName = `back-office-report-${dayIn('Europe/Lisbon', now())}.csv`
  expect(reply.headers['content-disposition']).toBe(`attachment; filename="${fileName}"`)
  expect(reply.body.startsWith('\uFEFF')).toBe(true)
  const rows = parseCsv(reply.body.slice(1))
  expect(new Set(rows.map((row) => row.length))).toEqual(new Set([9]))
  const section = (name: string) => rows.filter((row) => row[0] === name).map((row) => row.slice(1))

  expect(
    section('Figures')
      .slice(2, 5)
      .map((row) => row.slice(0, 2)),
  ).toEqual([
    ['Time zone', 'Europe/Lisbon'],
    ['Total Users', '2'],
    ['New users in the last 7 days', '2'],
  ])
  expect(section('KYC Approval Rates').map((row) => row.slice(0, 3))).toEqual([
    ['Status', 'Members', 'Percent'],
    ['Approved', '1', '100.0'],
    ['Pending', '0', '0.0'],
    ['Rejected', '0', '0.0'],
  ])
  for (const [name, length] of [
    ['Last 7 days', 8],
    ['Last 30 days', 31],
    ['Last 3 months', 14],
  ] as const) {
    const points = section(`User Registrations, ${name}`).slice(1)
    expect(points).toHaveLength(length - 1)
    expect(points.reduce((sum, point) => sum + Number(point[1]), 0)).toBe(2)
  }
  expect(section('Recent Users').slice(1)).toEqual([
    ['m-b', 'Ana, "Lima"', 'b@example.com', '', 'Pending', 'Not started', 'Active', newer],
    ['m-a', `'${formula}`, 'a@example.com', 'MB-1', 'Verified', 'Verified', 'Active', older],
  ])
  expect(section('Recent Transactions').slice(1)).toEqual([
    ['t-2', 'deposit', huge, 'completed', 'm-a', `'${formula}`, 'a@example.com', newer],
    ['t-1', 'withdrawal', '-1180.50', 'completed', 'm-a', `'${formula}`, 'a@example.com', older],
  ])
  const audited = await server.sql(
    `SELECT actor_name, details, ip_address FROM audit_log WHERE action = 'export_report'`,
  )
  expect(audited).toEqual([
    { actor_name: 'ada', details: { fileName, timeZone: 'Europe/Lisbon' }, ip_address: '127.0.0.1' },
  ])
})
