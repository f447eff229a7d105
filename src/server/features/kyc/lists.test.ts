import { beforeAll, expect, test } from 'vitest'
import { stepStatuses, submissionResults, verificationStatuses } from '#contract/kyc.ts'
import type { KycFigures, ListedSubmission, Verification } from '#contract/schemas/kyc-reviews.ts'
import { saveMembers } from '#server/features/members/save.ts'
import { foldListCounts, makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const lists = {
  verifications: { table: 'kyc_verifications', column: 'status', values: verificationStatuses, items: 'verifications' },
  'submission-history': { table: 'kyc_submissions', column: 'result', values: submissionResults, items: 'history' },
  'step2-history': { table: 'kyc_step2', column: 'status', values: stepStatuses, items: 'history' },
  'step3-history': { table: 'kyc_step3', column: 'status', values: stepStatuses, items: 'history' },
  'step4-history': { table: 'kyc_step4', column: 'status', values: stepStatuses, items: 'history' },
} as const
type Name = keyof typeof lists
const names = Object.keys(lists) as Name[]

interface Page<Row> {
  rows: Row[]
  total: number
  totalExact: boolean
  page: number
  limit: number
}
async function list<Row extends { id: string }>(name: Name, query = ''): Promise<Page<Row>> {
  const reply = await ada('GET', `/api/kyc/${name}?${query}`)
  expect(reply.statusCode, reply.body).toBe(200)
  const { [lists[name].items]: rows, ...rest } = reply.json()
  return { rows, ...rest }
}
const stored = async (name: Name, value?: string) => {
  const { table, column } = lists[name]
  const rows = await server.sql<{ id: string; value: string }>(
    `SELECT id::text, ${column} AS value FROM ${table} t ORDER BY t.submitted_at DESC, t.id DESC`,
  )
  return rows.filter((row) => value === undefined || row.value === value).map(({ id }) => id)
}
const figures = async () => (await ada('GET', '/api/kyc/analytics')).json<KycFigures>()
const at = (hour: number) => new Date(Date.UTC(2026, 2, 1, hour)).toISOString()

beforeAll(async () => {
  const jose = await makeMember(server, {
    id: 'm-jose',
    legalFirstName: 'José',
    legalLastName: 'García',
    email: 'pepe@searched.test',
  })
  const bo = await makeMember(server, { id: 'm-bo', email: 'a_b@searched.test' })
  // Three at the same instant each, so that ties are broken; every status, manual and automatic.
  for (let n = 1; n <= 60; n++) await makeAttempt(server, n % 2 ? jose.id : bo.id, { attempt: n, at: at(n / 3) })
  for (const { table, column, values } of Object.values(lists))
    await server.sql(
      `UPDATE ${table} SET ${column} = ($1::text[])[1 + attempt_number % $2] WHERE attempt_number < 60`,
      [values, values.length],
    )
  await server.sql('UPDATE kyc_submissions SET auto_processed = true WHERE attempt_number % 3 = 0')
  await server.sql(`UPDATE kyc_verifications SET kyc_score = 87, rejection_reason = 'Blurred', admin_notes = 'See scan',
    decided_by = 'grace', decided_at = '2026-03-05T06:07:08.009Z' WHERE attempt_number = 59`)
})

const filters = names.flatMap((name) => ['', 'all', ...lists[name].values].map((status) => [name, status] as const))
test.each(filters)(
  'KYC Management: %s with status=%s has exactly those rows, newest first (product 5.9)',
  async (name, status) => {
    const expected = await stored(name, status === '' || status === 'all' ? undefined : status)
    for (let turn = 0; turn < 2; turn++) {
      const found = await list(name, `status=${status}&limit=1000`)
      expect(found.rows.map(({ id }) => id)).toEqual(expected)
      expect(found).toMatchObject({ total: expected.length, totalExact: true, page: 1, limit: 1000 })
      expect(await list(name, `status=${status}&limit=1000&search=searched`)).toEqual(found)
      await foldListCounts(server)
    }
  },
)

test.each(names)('%s has pages of 50 by default that join into the whole list (product 14)', async (name) => {
  const [first, second, third] = [await list(name), await list(name, 'page=2'), await list(name, 'page=3')]
  expect([first.rows.length, first.total, first.limit]).toEqual([50, 60, 50])
  expect([...first.rows, ...second.rows].map(({ id }) => id)).toEqual(await stored(name))
  expect(third).toMatchObject({ rows: [], total: 60 })
})

test.each(names)('%s is searched by name and e-mail, folded, signs as they are (product 4.4)', async (name) => {
  const total = async (typed: string) => (await list(name, `search=${encodeURIComponent(typed)}`)).total
  for (const typed of ['jose', ' JOSÉ garcía ', 'sé gar', 'PEPE@']) expect(await total(typed), typed).toBe(30)
  for (const typed of ['a_b', 'A_B@SEARCHED']) expect(await total(typed), typed).toBe(30)
  for (const typed of ['a%b', 'garcia pepe', 'passport']) expect(await total(typed), typed).toBe(0)
  expect(await total('  ')).toBe(60)
})

test('a bad value is 400 naming the parameter (product 4.3)', async () => {
  for (const name of names)
    for (const query of [
      'status=nothing',
      'page=0',
      'limit=1001',
      'total=some',
      'status=pending&status=pending',
      'search=a&search=b',
      'search=%00',
      `search=${'x'.repeat(201)}`,
    ]) {
      const reply = await ada('GET', `/api/kyc/${name}?${query}`)
      expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(query.split('=')[0]!)])
    }
})

test('rows carry the fields of a verification, a submission and steps (product 6.3)', async () => {
  const active = { kycBanned: false, bannedReason: null }
  const member = {
    id: 'm-jose',
    email: 'pepe@searched.test',
    legalFirstName: 'José',
    legalLastName: 'García',
    ...active,
  }
  const common = { id: expect.stringMatching(/^\d+$/), userId: 'm-jose', user: member, attemptNumber: 59 }
  const row = async (name: Name) =>
    (await list<{ id: string; attemptNumber: number }>(name, 'limit=1000')).rows.find(
      (each) => each.attemptNumber === 59,
    )
  const submittedAt = at(59 / 3)
  expect(await row('verifications')).toEqual({
    ...common,
    status: 'reset',
    kycScore: 87,
    providerResult: null,
    providerReason: null,
    providerResultAt: null,
    documentType: 'passport',
    nationality: 'PT',
    submittedAt,
    rejectionReason: 'Blurred',
    adminNotes: 'See scan',
    decidedBy: 'grace',
    decidedAt: '2026-03-05T06:07:08.009Z',
    claimedBy: null,
    anotherLook: null,
    sent: null,
    version: 1,
  })
  expect(await row('submission-history')).toEqual({
    ...common,
    result: 'pending',
    autoProcessed: false,
    caseId: 'case-m-jose-59',
    submittedAt,
    rejectionReason: 'Blurred',
    canApprove: false,
    userVersion: 1,
    verificationId: null,
    sent: null,
    providerOpinion: null,
  })
  const step = { ...common, status: 'reset', submittedAt }
  expect(await row('step2-history')).toEqual({
    ...step,
    dateOfBirth: '1991-03-14',
    nationality: 'PT',
    countryOfResidence: 'ES',
  })
  expect(await row('step3-history')).toEqual({
    ...step,
    documentType: 'passport',
    frontDocumentUrl: 'm-jose-front-59',
    backDocumentUrl: 'm-jose-back-59',
  })
  expect(await row('step4-history')).toEqual({ ...step, selfieUrl: 'm-jose-selfie-59' })
})

test('the figures count submissions by result, and decided ones by who processed them (product 5.2)', async () => {
  const [counted] = await server.sql(`SELECT count(*)::int AS "totalSubmissions",
    count(*) FILTER (WHERE result = 'under_review')::int AS "underReview",
    count(*) FILTER (WHERE result = 'approved')::int AS approved,
    count(*) FILTER (WHERE result IN ('approved', 'rejected') AND NOT auto_processed)::int AS manual,
    count(*) FILTER (WHERE result IN ('approved', 'rejected') AND auto_processed)::int AS auto FROM kyc_submissions`)
  expect(counted).toMatchObject({ totalSubmissions: 60, auto: 10 })
  expect(await figures()).toEqual(counted)
  await foldListCounts(server)
  expect(await figures()).toEqual(counted)
})

test("only a member's latest submission under review can be approved", async () => {
  const canApprove = async (search: string) =>
    (await list<ListedSubmission>('submission-history', `search=${search}`)).rows.map((row) => [
      row.attemptNumber,
      row.canApprove,
    ])
  const member = await makeMember(server, { email: 'latest@approve.test', kycStatus: 'under_review', version: 7 })
  await makeAttempt(server, member.id, { attempt: 1 })
  await makeAttempt(server, member.id, { attempt: 2, isSubmitted: false })
  expect(await canApprove('latest@')).toEqual([[1, true]])
  await makeAttempt(server, member.id, { attempt: 3 })
  expect(await canApprove('latest@')).toEqual([
    [3, true],
    [1, false],
  ])
  const { rows } = await list<ListedSubmission>('submission-history', 'search=latest@')
  expect(rows[0]!.userVersion).toBe(7)
  const [waiting] = (await list<Verification>('verifications', 'search=latest@')).rows
  expect(rows[0]!.verificationId).toBe(waiting!.id)
  const reply = await ada('POST', `/api/users/${member.id}/kyc/approve`, {}, { 'if-match': '"7"' })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await canApprove('latest@')).toEqual([
    [3, false],
    [1, false],
  ])
  const [decided] = (await list<ListedSubmission>('submission-history', 'search=latest@')).rows
  expect(decided!.verificationId).toBeNull()
})

test('a row is found by the name and e-mail that its member has now', async () => {
  const member = await makeMember(server, { id: 'm-new', legalFirstName: 'Oldname', email: 'old@renamed.test' })
  await makeAttempt(server, member.id)
  await server.services.database.transaction((tx) =>
    saveMembers(tx, server.system, [{ id: 'm-new', email: 'new@renamed.test', legalFirstName: 'Ñewname' }]),
  )
  for (const name of names) {
    expect((await list(name, 'search=oldname')).total).toBe(0)
    expect((await list(name, 'search=newname')).total).toBe(1)
  }
})

test('beyond 1,000 hits a search says so, until the exact total is asked for (product 4.5)', async () => {
  await server.sql(`INSERT INTO members (id, email) SELECT 'many-' || n, 'many' || n || '@example.com'
    FROM generate_series(1, 1001) n`)
  await server.sql(`INSERT INTO kyc_verifications (member_id, attempt_number, submitted_at)
    SELECT 'many-' || n, 1, timestamptz '2024-01-01' + n * interval '1 hour' FROM generate_series(1, 1001) n`)
  const capped = await list<Verification>('verifications', 'search=many&status=pending')
  expect(capped).toMatchObject({ total: 1000, totalExact: false })
  expect(await list('verifications', 'search=many&status=pending&total=exact')).toEqual({
    ...capped,
    total: 1001,
    totalExact: true,
  })
  await server.sql("DELETE FROM members WHERE id LIKE 'many-%'")
  expect((await list('verifications', 'status=pending')).total).toBe((await stored('verifications', 'pending')).length)
})

test('lists of a million rows are walked by an index, with and without a filter', async () => {
  const client = await server.services.database.pool.connect()
  await client.query('SET enable_seqscan = off; SET enable_sort = off')
  for (const { table, column, values } of Object.values(lists))
    for (const condition of ['true', `${column} = '${values[1]}'`]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT * FROM ${table} WHERE ${condition} ORDER BY submitted_at DESC, id DESC LIMIT 50`,
      )
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(plan).toContain('Index Scan Backward')
      expect(plan).not.toContain('Sort')
    }
  client.release(true)
})
