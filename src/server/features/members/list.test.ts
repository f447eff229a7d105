import { beforeAll, describe, expect, test } from 'vitest'
import type { Member } from '#contract/schemas/members.ts'
import { foldListCounts, makeAttempt, makeMember, makeMembers } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const get = (query: string) => server.as('ada')('GET', `/api/users?${query}`)
const list = async (query: string) => {
  const reply = await get(query)
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json<{ users: Member[]; total: number; totalExact: boolean; page: number; limit: number }>()
}
const emails = async (query: string) => (await list(query)).users.map((member) => member.email)
const day = (daysAgo: number) => new Date(Date.UTC(2026, 5, 30, 12) - daysAgo * 86_400_000).toISOString()

const stored = () =>
  server.sql<{ id: string; kyc_completed: boolean; banned: boolean }>(
    'SELECT id, kyc_completed, banned FROM members ORDER BY created_at DESC, id DESC',
  )

describe('filters and pages', () => {
  const statuses = [null, 'pending', 'submitted', 'under_review', 'approved', 'rejected'] as const
  // 120 members over 40 days, three a day at the same instant, every status both active and banned.
  beforeAll(async () => {
    await makeMembers(server, 120, (index) => ({
      id: `f-${String(index).padStart(3, '0')}`,
      email: `filter${index}@example.com`,
      kycStatus: statuses[index % 6]!,
      banned: index % 4 === 0,
      createdAt: day(Math.floor(index / 3)),
    }))
  })
  const combinations = ['', 'all', 'completed', 'pending'].flatMap((kycStatus) =>
    ['', 'all', 'true', 'false'].map((kycBanned) => [kycStatus, kycBanned] as const),
  )
  test.each(combinations)(
    'kycStatus=%s with kycBanned=%s has exactly those members, newest first (product 5.3)',
    async (kycStatus, kycBanned) => {
      const expected = (await stored()).filter(
        (member) =>
          (!['completed', 'pending'].includes(kycStatus) || member.kyc_completed === (kycStatus === 'completed')) &&
          (!['true', 'false'].includes(kycBanned) || String(member.banned) === kycBanned),
      )
      const found = await list(`kycStatus=${kycStatus}&kycBanned=${kycBanned}&limit=1000`)
      expect(found.users.map((member) => member.id)).toEqual(expected.map((member) => member.id))
      expect(found).toMatchObject({ total: expected.length, totalExact: true, page: 1, limit: 1000 })
      const searched = await list(`kycStatus=${kycStatus}&kycBanned=${kycBanned}&limit=1000&search=filter`)
      expect(searched.users).toEqual(found.users)
      expect(searched.total).toBe(expected.length)
    },
  )

  test('pages of any size join into the whole list, each with the total', async () => {
    const whole = (await stored()).map((member) => member.id)
    for (const limit of [1, 7, 50]) {
      const ids: string[] = []
      for (let page = 1; page <= Math.ceil(whole.length / limit); page++) {
        const found = await list(`page=${page}&limit=${limit}`)
        expect(found.total).toBe(whole.length)
        ids.push(...found.users.map((member) => member.id))
      }
      expect(ids).toEqual(whole)
    }
  })

  test('50 rows a page when nothing is said (product 14)', async () => {
    const found = await list('')
    expect(found.users).toHaveLength(50)
    expect(found).toMatchObject({ page: 1, limit: 50, total: 120 })
  })

  test('a page beyond the end is empty and has the total all the same', async () => {
    for (const query of ['page=4', 'page=1000000&limit=1000', 'page=3&kycBanned=true', 'page=9&search=filter'])
      expect(await list(query)).toMatchObject({ users: [], totalExact: true })
    expect((await list('page=4')).total).toBe(120)
    expect((await list('page=3&kycBanned=true')).total).toBe(30)
    expect((await list('page=9&search=filter')).total).toBe(120)
  })

  test('a member is found by id, case id and telephone number', async () => {
    const { id } = await makeMember(server, { legalFirstName: 'Fon', legalPhone: '+44 7700 900123' })
    await makeAttempt(server, id)
    const [attempt] = await server.sql<{ caseId: string }>(
      'SELECT case_id AS "caseId" FROM kyc_submissions WHERE member_id = $1',
      [id],
    )
    for (const typed of [id, attempt!.caseId, '07700 900123', '+44 7700 900123', '900123'])
      expect(await list(`search=${encodeURIComponent(typed)}`), typed).toMatchObject({ users: [{ id }], total: 1 })
    expect(await list(`search=${id}&total=exact`)).toMatchObject({ users: [{ id }], total: 1 })
    expect(await emails(`search=${encodeURIComponent('+44 7700 900124')}`)).toEqual([])
    await server.sql('DELETE FROM members WHERE id = $1', [id])
  })

  test('a member carries the fields of a member, and nothing else (product 6.2)', async () => {
    const member = await makeMember(server, {
      email: 'whole@example.com',
      legalFirstName: 'Ana',
      legalPhone: '+351 1',
      kycStatus: 'approved',
      membershipId: 'MB-00000018',
      kycAdminNotes: 'for our eyes only',
      createdAt: '2026-07-01T10:20:30.456Z',
    })
    const { users } = await list('search=whole@example.com')
    expect(users).toEqual([
      {
        id: member.id,
        email: 'whole@example.com',
        legalFirstName: 'Ana',
        legalLastName: null,
        legalPhone: '+351 1',
        membershipId: 'MB-00000018',
        kycStatus: 'approved',
        kycBanned: false,
        bannedReason: null,
        kycCompleted: true,
        kycCurrentStep: 1,
        kycDocumentType: null,
        kycSubmissionCount: 0,
        kycFrontDocumentUrl: null,
        kycBackDocumentUrl: null,
        kycSelfieUrl: null,
        erasedAt: null,
        createdAt: '2026-07-01T10:20:30.456Z',
        version: 1,
      },
    ])
    await server.sql('DELETE FROM members WHERE id = $1', [member.id])
  })
})

test('totals and deep pages stay exact through changes and folding', async () => {
  await server.sql(`INSERT INTO members (id, email, created_at)
    SELECT 'd-' || n, 'deep' || n || '@example.com', timestamptz '2025-01-01' + n * interval '7 minutes'
    FROM generate_series(1, 7000) n`)
  const checkDeepPages = async () => {
    const whole = await stored()
    for (const [query, rows] of [
      ['', whole],
      ['&kycBanned=false', whole.filter((member) => !member.banned)],
    ] as const)
      for (const page of [1, 2, 60, 101, 120, 139, Math.ceil(rows.length / 50), 500]) {
        const found = await list(`page=${page}${query}`)
        expect(found.total).toBe(rows.length)
        expect(found.users.map((member) => member.id)).toEqual(
          rows.slice((page - 1) * 50, page * 50).map(({ id }) => id),
        )
      }
  }
  await checkDeepPages()
  await foldListCounts(server)
  await checkDeepPages()
  await server.sql(`UPDATE members SET banned = true, banned_reason = 'x', banned_by = 'ada', banned_at = now()
    WHERE id LIKE 'd-%7'`)
  await server.sql("DELETE FROM members WHERE id LIKE 'd-1%'")
  await server.sql("UPDATE members SET created_at = created_at - interval '40 days' WHERE id LIKE 'd-22%'")
  await checkDeepPages()
  await Promise.all([foldListCounts(server), checkDeepPages(), foldListCounts(server)])
  await checkDeepPages()
  await server.sql("DELETE FROM members WHERE id LIKE 'd-%'")
  expect((await list('')).total).toBe(120)
})

describe('search (product 4.4)', () => {
  beforeAll(async () => {
    for (const [id, legalFirstName, legalLastName, email] of [
      ['s-jose', 'José', 'García', 'pepe@searched.test'],
      ['s-lukasz', 'Łukasz', 'Żółw', 'turtle@searched.test'],
      ['s-percent', '100%', 'Sure', 'a_b@searched.test'],
      ['s-back', 'Back\\slash', 'Under_score', 'ab@searched.test'],
      ['s-ivan', 'Иван', 'Петров', 'ivan@searched.test'],
      ['s-wang', '小明', '王', 'wang@searched.test'],
      ['s-anna', 'Anna', 'Bell', 'anna@searched.test'],
      ['s-aegir', 'Ægir', 'Jean\u2011Luc', 'sea@searched.test'],
      ['s-ahmad', 'ليلى', 'الأحمد', 'layla@searched.test'],
      ['s-none', null, null, 'nameless@searched.test'],
    ] as const)
      await makeMember(server, { id, email, legalFirstName, legalLastName })
  })

  test.each([
    ['jose', 'pepe@searched.test'],
    ['JOSÉ', 'pepe@searched.test'],
    ['jose garcia', 'pepe@searched.test'],
    ['sé gar', 'pepe@searched.test'],
    ['  José García ', 'pepe@searched.test'],
    ['lukasz zolw', 'turtle@searched.test'],
    ['ŁUKASZ', 'turtle@searched.test'],
    ['100%', 'a_b@searched.test'],
    ['_b@', 'a_b@searched.test'],
    ['back\\', 'ab@searched.test'],
    ['r_s', 'ab@searched.test'],
    ['иван', 'ivan@searched.test'],
    ['ПЕТРОВ', 'ivan@searched.test'],
    ['王', 'wang@searched.test'],
    ['aegir', 'sea@searched.test'],
    ['Jean-Luc', 'sea@searched.test'],
    ['jean\u2010luc', 'sea@searched.test'],
    ['الاحمد', 'layla@searched.test'],
    ['NAMELESS@', 'nameless@searched.test'],
  ])('%j finds %s alone', async (typed, email) => {
    expect(await emails(`search=${encodeURIComponent(typed)}`)).toEqual([email])
  })

  test.each(['%', '_', '\\'])('%j is a plain character', async (typed) => {
    const found = await emails(`search=${encodeURIComponent(typed)}`)
    const expected = await server.sql<{ email: string }>(
      `SELECT email FROM members WHERE position($1 IN coalesce(legal_first_name, '') || ' ' || coalesce(legal_last_name, '')) > 0
        OR position($1 IN email) > 0 ORDER BY created_at DESC, id DESC`,
      [typed],
    )
    expect(found).toEqual(expected.map((row) => row.email))
    expect(found.length).toBeLessThan(3)
  })

  test('nothing matches across the border of name and e-mail', async () => {
    for (const typed of ['bell anna@', 'bellanna', 'bell\nanna@', 'garcia pepe'])
      expect(await emails(`search=${encodeURIComponent(typed)}`)).toEqual([])
  })

  test('blanks alone are no search', async () => {
    expect((await list('search=%20%20')).total).toBe((await list('')).total)
  })

  test('up to 1,000 hits the total is exact, beyond on request', async () => {
    await server.sql(`INSERT INTO members (id, email, created_at)
      SELECT 'many-' || n, 'many' || n || '@example.com', timestamptz '2024-01-01' + n * interval '1 hour'
      FROM generate_series(1, 1000) n`)
    expect(await list('search=many')).toMatchObject({ total: 1000, totalExact: true })
    await makeMember(server, { email: 'many-more@example.com' })
    const capped = await list('search=many')
    expect(capped).toMatchObject({ total: 1000, totalExact: false })
    expect(capped.users).toHaveLength(50)
    const exact = await list('search=many&total=exact')
    expect(exact).toEqual({ ...capped, total: 1001, totalExact: true })
    expect(await list('search=many&page=21')).toMatchObject({
      users: [{ id: 'many-1' }],
      total: 1001,
      totalExact: true,
    })
    expect(await list('search=many&page=21&total=exact')).toMatchObject({ users: [{ id: 'many-1' }], total: 1001 })
    expect(await list('search=many&page=30')).toMatchObject({ users: [], total: 1001, totalExact: true })
    await server.sql("DELETE FROM members WHERE email LIKE 'many%'")
  })
})

describe('what is refused (product 4.3)', () => {
  test.each([
    ['page=0', 'page'],
    ['page=-1', 'page'],
    ['page=1.5', 'page'],
    ['page=x', 'page'],
    ['page=1000001', 'page'],
    ['page=1&page=2', 'page'],
    ['limit=0', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=1e9', 'limit'],
    ['limit=5&limit=5', 'limit'],
    ['kycStatus=approved', 'kycStatus'],
    ['kycStatus=completed&kycStatus=pending', 'kycStatus'],
    ['kycBanned=yes', 'kycBanned'],
    ['search=a&search=b', 'search'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(201)}`, 'search'],
    ['total=some', 'total'],
  ])('%s is 400 and names %s', async (query, field) => {
    const reply = await get(query)
    expect(reply.statusCode).toBe(400)
    expect(reply.json()).toMatchObject({ code: 'invalid', message: expect.stringContaining(field) })
  })

  test('unknown parameters are ignored, and empty ones mean nothing was said', async () => {
    const plain = await list('')
    expect(await list('nonsense=1&page=&limit=&search=&kycStatus=&kycBanned=&total=')).toEqual(plain)
  })
})
