import { beforeEach, expect, test } from 'vitest'
import { leaseMinutes } from '#contract/kyc-reviews.ts'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import { foldListCounts, makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer, type Caller } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
interface ClaimedCase {
  case: ReviewCase | null
  waiting: number
}
async function claimNext(as: Caller, after?: string): Promise<ClaimedCase> {
  const reply = await as('POST', '/api/kyc/cases/claim-next', after && { after })
  expect(reply.statusCode, reply.body).toBe(200)
  return reply.json()
}
const nextId = async (as: Caller, after?: string) => (await claimNext(as, after)).case?.verification.id ?? null
const claim = (as: Caller, id: string) => as('POST', `/api/kyc/cases/${id}/claim`)
const release = (as: Caller, id: string) => as('POST', `/api/kyc/cases/${id}/release`)
const held = async () =>
  Object.fromEntries(
    (
      await server.sql<{ username: string; id: string }>(
        'SELECT a.username, verification_id::text AS id FROM kyc_claims JOIN admins a ON a.id = admin_id',
      )
    ).map(({ username, id }) => [username, id]),
  )
const endLeases = () => server.sql("UPDATE kyc_claims SET claimed_until = now() - interval '1 second'")

/** `count` waiting cases, an hour apart, oldest first. */
async function makeCases(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let n = 0; n < count; n++) {
    const member = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
    await makeAttempt(server, member.id, { at: new Date(Date.UTC(2026, 1, 1, n)).toISOString() })
    ids.push(await caseOf(member.id))
  }
  return ids
}
const caseOf = async (memberId: string, attempt = 1) =>
  (
    await server.sql<{ id: string }>(
      'SELECT id::text FROM kyc_verifications WHERE member_id = $1 AND attempt_number = $2',
      [memberId, attempt],
    )
  )[0]!.id

beforeEach(async () => {
  await server.sql('DELETE FROM members')
})

test('review mode takes the oldest waiting case first, with all that it is decided on (product 4.2)', async () => {
  const member = await makeMember(server, {
    legalFirstName: 'Ana',
    legalLastName: 'Lima',
    kycStatus: 'under_review',
    kycSubmissionCount: 2,
  })
  await makeAttempt(server, member.id, { attempt: 1, at: '2026-01-01T00:00:00.000Z' })
  await ada('POST', `/api/users/${member.id}/kyc/reject`, { rejectionReason: 'Blurred', adminNotes: 'Again' })
  await makeAttempt(server, member.id, { attempt: 2, at: '2026-01-02T00:00:00.000Z' })
  await makeCases(2)
  const before = Date.now()
  const { case: taken, waiting } = await claimNext(grace)
  expect(waiting).toBe(3)
  const active = { kycBanned: false, bannedReason: null }
  const user = { id: member.id, email: member.email, legalFirstName: 'Ana', legalLastName: 'Lima', ...active }
  const step = {
    id: expect.any(String),
    attemptNumber: 2,
    status: 'submitted',
    submittedAt: '2026-01-02T00:00:00.000Z',
  }
  expect(taken).toEqual({
    verification: expect.objectContaining({
      userId: member.id,
      user,
      attemptNumber: 2,
      claimedBy: 'grace',
      version: 1,
    }),
    latinName: { first: null, last: null },
    user: expect.objectContaining({ ...user, kycStatus: 'rejected', kycSubmissionCount: 2, version: 2 }),
    step2: { ...step, dateOfBirth: '1991-03-14', nationality: 'PT', countryOfResidence: 'ES', user },
    step3: {
      ...step,
      documentType: 'passport',
      frontDocumentUrl: `${member.id}-front-2`,
      backDocumentUrl: `${member.id}-back-2`,
    },
    step4: { ...step, selfieUrl: `${member.id}-selfie-2` },
    earlierAttempts: [
      {
        attemptNumber: 1,
        submittedAt: '2026-01-01T00:00:00.000Z',
        status: 'rejected',
        rejectionReason: 'Blurred',
        adminNotes: 'Again',
        decidedBy: 'ada',
        decidedAt: expect.stringMatching(/Z$/),
      },
    ],
    claimedUntil: expect.stringMatching(/Z$/),
  })
  const takenAt = Date.parse(taken!.claimedUntil!) - leaseMinutes * 60_000
  expect(takenAt).toBeGreaterThanOrEqual(before - 1000)
  expect(takenAt).toBeLessThanOrEqual(Date.now() + 1000)
})

test('a case without steps can be claimed (product 10.2)', async () => {
  const { id } = await makeMember(server, { kycStatus: 'submitted' })
  await server.sql(
    "INSERT INTO kyc_verifications (member_id, attempt_number, submitted_at) VALUES ($1, 1, '2026-01-01Z')",
    [id],
  )
  expect((await claimNext(ada)).case).toMatchObject({ step2: null, step3: null, step4: null, earlierAttempts: [] })
})

test('claiming again answers the same case, and `after` passes over it', async () => {
  const [first, second, third] = await makeCases(3)
  expect([await nextId(ada), await nextId(ada)]).toEqual([first, first])
  expect(await nextId(ada, first)).toBe(second)
  expect(await nextId(ada, second)).toBe(third)
  expect(await held()).toEqual({ ada: third })
  expect(await nextId(ada, third)).toBe(first)
  expect(await nextId(ada, '999999')).toBe(first)
})

test("the answer is null when only the passed-over case and others' are left", async () => {
  expect(await claimNext(ada)).toEqual({ case: null, waiting: 0, position: null })
  const [first, second] = await makeCases(2)
  await claimNext(grace)
  expect(await nextId(ada)).toBe(second)
  expect(await claimNext(ada, second)).toEqual({ case: null, waiting: 2, position: null })
  expect(await held()).toEqual({ grace: first })
  await foldListCounts(server)
  expect((await claimNext(ada)).waiting).toBe(2)
})

test('neither decided cases nor earlier attempts of a member are taken', async () => {
  const [first, second] = await makeCases(2)
  const [owner] = await server.sql<{ id: string }>('SELECT member_id AS id FROM kyc_verifications WHERE id = $1', [
    first,
  ])
  await makeAttempt(server, owner!.id, { attempt: 2, at: '2026-02-03T00:00:00Z' })
  const later = await caseOf(owner!.id, 2)
  expect(await nextId(ada)).toBe(second)
  await ada('POST', `/api/kyc/verifications/${second}/review`, { action: 'approve' })
  expect(await nextId(ada)).toBe(later)
  const reply = await claim(ada, first!)
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    expect.stringContaining('attempt 2 has been submitted'),
  ])
})

test('ten operators who ask at once get ten different cases', async () => {
  const ids = await makeCases(10)
  const operators = Array.from({ length: 10 }, (_, n) => server.as(`operator-${n}`))
  for (const operator of operators) await operator('GET', '/api/auth/user')
  const taken = await Promise.all(operators.map((operator) => nextId(operator)))
  expect(taken.toSorted()).toEqual(ids.toSorted())
  expect(Object.values(await held()).toSorted()).toEqual(ids.toSorted())
  const again = await Promise.all(operators.map((operator, n) => nextId(operator, taken[n]!)))
  const others = again.filter((id) => id !== null)
  expect(new Set(others).size).toBe(others.length)
  expect(Object.values(await held()).toSorted()).toEqual(others.toSorted())
})

test('one of two operators who claim the only case at once gets it', async () => {
  await makeCases(1)
  for (let round = 0; round < 20; round++) {
    const taken = await Promise.all([nextId(ada), nextId(grace)])
    expect(taken.filter((id) => id !== null)).toHaveLength(1)
    await server.sql('DELETE FROM kyc_claims')
  }
})

test('an operator holds one case, however many windows ask at once', async () => {
  const ids = await makeCases(4)
  const replies = await Promise.all([...ids.map((id) => claim(ada, id)), ...ids.map((id) => nextId(ada, id))])
  expect(replies).not.toContain(null)
  expect(await server.sql('SELECT count(*)::int AS n FROM kyc_claims')).toEqual([{ n: 1 }])
})

test("another's case is 409 and says who holds it and until when", async () => {
  const [first] = await makeCases(1)
  await claimNext(grace)
  const reply = await claim(ada, first!)
  expect([reply.statusCode, reply.json().code]).toEqual([409, 'case_claimed'])
  expect(reply.json().message).toMatch(/^grace is reviewing this case, until \w{3} \d\d, \d{4} at \d\d:\d\d UTC$/)
  expect(reply.json().details).toEqual({ by: 'grace', until: expect.stringMatching(/Z$/) })
  expect(await nextId(ada)).toBeNull()
  await endLeases()
  expect((await claim(ada, first!)).statusCode).toBe(200)
  expect(await held()).toEqual({ ada: first })
  await endLeases()
  expect(await nextId(grace)).toBe(first)
})

test('a case can be looked at without taking it, no matter who has it (product 5.10)', async () => {
  const [first] = await makeCases(1)
  const look = async () => (await ada('GET', `/api/kyc/cases/${first}`)).json()
  const { case: taken } = await claimNext(grace)
  expect(await look()).toEqual({ case: taken, waiting: 1, position: 1 })
  expect(await held()).toEqual({ grace: first })
  await endLeases()
  const claims = { claimedUntil: null, verification: { ...taken!.verification, claimedBy: null } }
  expect(await look()).toEqual({ case: { ...taken, ...claims }, waiting: 1, position: 1 })
  await ada('POST', `/api/kyc/verifications/${first}/review`, { action: 'approve' })
  expect(await look()).toMatchObject({ code: 'attempt_decided' })
})

test('lists say who is at a waiting case, while their lease lasts', async () => {
  const [first] = await makeCases(1)
  const claimedBy = async () =>
    (await ada('GET', '/api/kyc/verifications')).json<{ verifications: Verification[] }>().verifications[0]!.claimedBy
  expect(await claimedBy()).toBeNull()
  await claim(grace, first!)
  expect(await claimedBy()).toBe('grace')
  await endLeases()
  expect(await claimedBy()).toBeNull()
})

test('a decision ends the claim, no matter who takes it', async () => {
  const [first, second] = await makeCases(2)
  await claim(grace, first!)
  const reply = await ada('POST', `/api/kyc/verifications/${first}/review`, { action: 'approve' })
  expect(reply.statusCode, reply.body).toBe(200)
  expect(await held()).toEqual({})
  const refused = await claim(grace, first!)
  expect([refused.statusCode, refused.json().message]).toEqual([
    409,
    expect.stringContaining('This case is already approved (set by ada on '),
  ])
  await claim(grace, second!)
  const [owner] = await server.sql<{ id: string }>('SELECT member_id AS id FROM kyc_verifications WHERE id = $1', [
    second,
  ])
  await ada('POST', `/api/users/${owner!.id}/kyc/reset`, {})
  expect(await held()).toEqual({})
})

test('release lets go of the own claim alone', async () => {
  const [first] = await makeCases(1)
  await claim(grace, first!)
  for (const [as, expected] of [
    [ada, { grace: first }],
    [grace, {}],
    [grace, {}],
  ] as const) {
    const reply = await release(as, first!)
    expect([reply.statusCode, reply.body]).toEqual([204, ''])
    expect(await held()).toEqual(expected)
  }
})

test('open consoles hear of a claim and its end, not of a lease that is only prolonged (product 3.4)', async () => {
  const [first] = await makeCases(1)
  await ada('GET', '/api/auth/user')
  const heard: string[] = []
  const client = await server.services.database.pool.connect()
  client.on('notification', ({ payload }) => heard.push(payload ?? ''))
  await client.query('LISTEN changes')
  await claim(ada, first!)
  const [before] = await server.sql<{ until: Date }>('SELECT claimed_until AS until FROM kyc_claims')
  await claim(ada, first!)
  await nextId(ada)
  const [after] = await server.sql<{ until: Date }>('SELECT claimed_until AS until FROM kyc_claims')
  expect(after!.until.getTime()).toBeGreaterThan(before!.until.getTime())
  await release(ada, first!)
  await release(ada, first!)
  await server.sql("SELECT pg_notify('changes', 'end')")
  await expect.poll(() => heard.at(-1)).toBe('end')
  expect(heard).toEqual(['kyc', 'kyc', 'end'])
  client.release(true)
})

test('what names no case is 404, what is not a call of ours is 400', async () => {
  const [first] = await makeCases(1)
  for (const unknown of ['999999999', '0', '-1', 'x', '%00', '1e3', '9'.repeat(40), "1'--", `${first}%20`])
    for (const call of [claim, release]) {
      const reply = await call(ada, unknown)
      expect([reply.statusCode, reply.json().message], unknown).toEqual([404, 'Verification not found'])
    }
  for (const body of [{ after: 'x' }, { after: 1 }, { after: '' }, { after: null }, { before: 'x' }, [], 'x']) {
    const reply = await ada('POST', '/api/kyc/cases/claim-next', body)
    expect(reply.statusCode, JSON.stringify(body)).toBeGreaterThanOrEqual(400)
    expect(reply.statusCode).toBeLessThan(500)
  }
  expect(await held()).toEqual({})
})
