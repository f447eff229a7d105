import { expect, test } from 'vitest'
import { kycActions } from '#contract/kyc-moves.ts'
import { kycStatuses } from '#contract/kyc.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const decide = (id: string, action: string, body?: unknown, headers?: Record<string, string>, as = ada) =>
  as('POST', `/api/users/${id}/kyc/${action}`, body, headers)
const bodies = { approve: {}, reject: { rejectionReason: 'Blurred' }, reset: {} }

const member = (id: string) => server.sql('SELECT * FROM members WHERE id = $1', [id]).then((rows) => rows[0]!)
const submission = (id: string) =>
  server.sql('SELECT attempt_number, result, version FROM kyc_submissions WHERE member_id = $1 ORDER BY 1', [id])
const verification = (id: string) =>
  server.sql(
    `SELECT attempt_number, status, rejection_reason, admin_notes, decided_by, decided_at IS NOT NULL AS decided, version
     FROM kyc_verifications WHERE member_id = $1 ORDER BY 1`,
    [id],
  )
const steps = async (id: string) =>
  (
    await server.sql<{ status: string }>(
      `SELECT status FROM kyc_step2 WHERE member_id = $1 UNION ALL SELECT status FROM kyc_step3 WHERE member_id = $1
       UNION ALL SELECT status FROM kyc_step4 WHERE member_id = $1`,
      [id],
    )
  ).map((row) => row.status)
const trail = async (id: string) => ({
  audit: await server.sql(
    'SELECT action, actor_name, audit_details(id, details) AS details FROM audit_log WHERE target_id = $1 ORDER BY id',
    [id],
  ),
  events: await server.sql(`SELECT type, payload FROM platform_events WHERE entity_id = $1 ORDER BY id`, [id]),
})
/** A member with one submitted attempt, as it awaits review. */
const makeSubmitted = async () => {
  const made = await makeMember(server, {
    kycStatus: 'under_review',
    kycCurrentStep: 4,
    kycSubmissionCount: 1,
    kycDocumentType: 'passport',
    kycFrontDocument: 'front',
    kycBackDocument: 'back',
    kycSelfie: 'selfie',
  })
  await makeAttempt(server, made.id)
  return made
}

test('approve marks KYC completed and assigns a membership id (product 7.1)', async () => {
  const { id } = await makeSubmitted()
  await server.sql("UPDATE members SET kyc_rejection_reason = 'Old' WHERE id = $1", [id])
  const reply = await decide(id, 'approve', { adminNotes: ' Looks fine ' })
  expect(reply.statusCode, reply.body).toBe(200)
  const { message, user } = reply.json()
  expect(message).toBe('KYC Status Updated')
  expect(user).toMatchObject({ kycStatus: 'approved', kycCompleted: true, kycCurrentStep: 4, version: 2 })
  expect(user.membershipId).toMatch(/^MB-\d{8}$/)
  expect(await submission(id)).toEqual([{ attempt_number: 1, result: 'approved', version: 2 }])
  expect(await verification(id)).toMatchObject([
    {
      status: 'approved',
      rejection_reason: null,
      admin_notes: 'Looks fine',
      decided_by: 'ada',
      decided: true,
      version: 2,
    },
  ])
  expect(await steps(id)).toEqual(['approved', 'approved', 'approved'])
  expect((await ada('GET', `/api/users/${id}`)).json().kycVerification).toEqual({
    rejectionReason: null,
    adminNotes: 'Looks fine',
    attemptNumber: 1,
    decidedBy: 'ada',
    decidedAt: expect.stringMatching(/Z$/),
  })
  const { membershipId } = user
  expect(await trail(id)).toEqual({
    audit: [
      {
        action: 'approve_kyc',
        actor_name: 'ada',
        details: {
          attemptNumber: 1,
          adminNotes: 'Looks fine',
          before: { kycStatus: 'under_review', membershipId: null },
          after: { kycStatus: 'approved', membershipId },
        },
      },
    ],
    events: [
      { type: 'kyc.approved', payload: { memberId: id, membershipId, attemptNumber: 1, kycStatus: 'approved' } },
    ],
  })
})

test('reject needs a reason (product 9.5)', async () => {
  const { id } = await makeSubmitted()
  for (const body of [undefined, {}, { rejectionReason: ' ' }, { rejectionReason: null, adminNotes: 'x' }]) {
    const refused = await decide(id, 'reject', body)
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'Rejection reason is required'])
  }
  const reply = await decide(id, 'reject', { rejectionReason: ' Blurred photo ', adminNotes: null })
  expect(reply.json().user).toMatchObject({ kycStatus: 'rejected', kycCompleted: false, membershipId: null })
  expect(await submission(id)).toMatchObject([{ result: 'rejected' }])
  expect(await verification(id)).toMatchObject([
    { status: 'rejected', rejection_reason: 'Blurred photo', admin_notes: null },
  ])
  expect(await steps(id)).toEqual(['rejected', 'rejected', 'rejected'])
  expect((await ada('GET', `/api/users/${id}`)).json().kycVerification).toMatchObject({
    rejectionReason: 'Blurred photo',
    attemptNumber: 1,
  })
  const { audit, events } = await trail(id)
  expect(audit).toMatchObject([{ action: 'reject_kyc', details: { rejectionReason: 'Blurred photo' } }])
  expect(events).toMatchObject([{ type: 'kyc.rejected', payload: { memberId: id, reason: 'Blurred photo' } }])
})

test('reset returns to pending and step 1 (product 7.1)', async () => {
  const { id } = await makeSubmitted()
  const reply = await decide(id, 'reset', { rejectionReason: 'ignored' })
  expect(reply.json().user).toMatchObject({
    kycStatus: 'pending',
    kycCurrentStep: 1,
    kycSubmissionCount: 1,
    kycDocumentType: null,
    kycFrontDocumentUrl: null,
    kycBackDocumentUrl: null,
    kycSelfieUrl: null,
  })
  expect(await submission(id)).toMatchObject([{ result: 'pending' }])
  expect(await verification(id)).toMatchObject([{ status: 'reset', rejection_reason: null, decided_by: 'ada' }])
  expect(await steps(id)).toEqual(['reset', 'reset', 'reset'])
  const { step3History, step4History, kycVerification } = (await ada('GET', `/api/users/${id}`)).json()
  expect([step3History[0].frontDocumentUrl, step4History[0].selfieUrl]).toEqual([`${id}-front-1`, `${id}-selfie-1`])
  expect(kycVerification).toMatchObject({ rejectionReason: null, decidedBy: 'ada' })
  const { audit, events } = await trail(id)
  expect(audit).toMatchObject([{ action: 'reset_kyc', details: { before: { kycStatus: 'under_review' } } }])
  expect(events).toMatchObject([{ type: 'kyc.reset' }])
})

test('a reset after a rejection leaves the judged verification as it was judged', async () => {
  const { id } = await makeSubmitted()
  await decide(id, 'reject', { rejectionReason: 'Blurred' })
  await decide(id, 'reset')
  expect(await submission(id)).toMatchObject([{ result: 'pending' }])
  expect(await verification(id)).toMatchObject([{ status: 'rejected', rejection_reason: 'Blurred' }])
})

const legal = [null, ...kycStatuses].flatMap((from) => kycActions.map((action) => [from, action] as const))
test.each(legal)('from %s, %s (product 7.1)', async (from, action) => {
  const { id } = await makeMember(server, {
    kycStatus: from,
    kycDecidedBy: 'grace',
    kycDecidedAt: '2026-02-03T04:05:06Z',
  })
  const reply = await decide(id, action, bodies[action])
  if (from !== 'approved') {
    expect(reply.statusCode, reply.body).toBe(200)
    return
  }
  expect(reply.statusCode).toBe(409)
  expect(reply.json()).toMatchObject({
    code: 'member_approved',
    message: "This user's KYC is already approved (set by grace on Feb 03, 2026 at 04:05 UTC)",
  })
  expect(await trail(id)).toEqual({ audit: [], events: [] })
})

test('only the latest submitted attempt is decided', async () => {
  const { id } = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 2 })
  await makeAttempt(server, id, { attempt: 1 })
  await makeAttempt(server, id, { attempt: 2 })
  await makeAttempt(server, id, { attempt: 3, isSubmitted: false })
  await decide(id, 'approve')
  expect(await submission(id)).toMatchObject([{ result: 'under_review' }, { result: 'approved' }])
  expect(await verification(id)).toMatchObject([{ status: 'pending' }, { status: 'approved' }])
  expect((await steps(id)).toSorted()).toEqual([
    ...Array(3).fill('approved'),
    ...Array(3).fill('draft'),
    ...Array(3).fill('submitted'),
  ])
  expect((await member(id)).kyc_decided_attempt).toBe(2)
})

test('membership ids are given in order of approval, and a taken one is never given up (product 7.1)', async () => {
  const ids: string[] = []
  for (let at = 0; at < 5; at++) {
    const { id } = await makeSubmitted()
    ids.push((await decide(id, 'approve')).json().user.membershipId)
  }
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(5)
  const kept = await makeMember(server, { kycStatus: 'pending', membershipId: 'MB-99999997' })
  expect((await decide(kept.id, 'approve')).json().user.membershipId).toBe('MB-99999997')
})

test('the ten-millionth approval is given a ninth digit, and is found by it (product 7.1)', async () => {
  const [before] = await server.sql<{ next: string }>(`SELECT nextval('membership_numbers')::text AS next`)
  await server.sql(`SELECT setval('membership_numbers', 9999999)`)
  const { id } = await makeSubmitted()
  expect((await decide(id, 'approve')).json().user.membershipId).toBe('MB-100000009')
  await server.sql(`SELECT setval('membership_numbers', $1)`, [before!.next])
  for (const text of ['MB-100000009', 'mb 1000 00009']) {
    const found = [`/api/users?search=${text}`, `/api/search?q=${text}`].map((path) => ada('GET', path))
    for (const reply of await Promise.all(found)) expect(reply.body, text).toContain(`"id":"${id}"`)
  }
  expect((await ada('GET', '/api/search?q=MB-1000000')).body).toContain(`"id":"${id}"`)
})

test('one of 20 simultaneous decisions with If-Match wins (product 7.1)', async () => {
  for (const action of kycActions) {
    const { id } = await makeSubmitted()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        decide(id, action, bodies[action], { 'if-match': '"1"' }, index % 2 ? ada : grace),
      ),
    )
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)])
    const { audit, events } = await trail(id)
    expect([audit.length, events.length, (await member(id)).version]).toEqual([1, 1, 2])
  }
})

test('without If-Match simultaneous decisions are served one after the other (product 7.1)', async () => {
  const { id } = await makeSubmitted()
  const rejections = await Promise.all(
    Array.from({ length: 10 }, (_, index) => decide(id, 'reject', { rejectionReason: `Reason ${index}` })),
  )
  expect(rejections.every((reply) => reply.statusCode === 200)).toBe(true)
  expect(rejections.map((reply) => reply.json().user.version).toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 10 }, (_, index) => index + 2),
  )
  const { audit } = await trail(id)
  expect(audit).toHaveLength(10)
  const last = rejections.find((reply) => reply.json().user.version === 11)
  expect(last).toBeDefined()
  const approvals = await Promise.all(Array.from({ length: 10 }, () => decide(id, 'approve')))
  expect(approvals.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array(9).fill(409)])
})

test('a stale If-Match is 409 and changes nothing (product 8.4)', async () => {
  const { id } = await makeSubmitted()
  const reply = await decide(id, 'approve', {}, { 'if-match': '"9"' })
  expect(reply.json()).toMatchObject({ code: 'stale', message: expect.stringContaining('under_review') })
  expect(await member(id)).toMatchObject({ kyc_status: 'under_review', version: 1, membership_id: null })
})

test('what is not a decision is refused and changes nothing', async () => {
  const { id } = await makeSubmitted()
  expect((await decide('nobody', 'approve')).json().message).toBe('User not found')
  for (const [action, body, problem] of [
    ['promote', {}, 'action'],
    ['approve', { adminNotes: 1 }, 'adminNotes'],
    ['approve', { adminNotes: 'x'.repeat(4001) }, 'adminNotes'],
    ['approve', { adminNotes: '\0' }, 'adminNotes'],
    ['reject', { rejectionReason: 'x'.repeat(1001) }, 'rejectionReason'],
    ['approve', { kycStatus: 'approved' }, 'kycStatus'],
  ] as const) {
    const reply = await decide(id, action, body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(problem)])
  }
  expect((await member(id)).version).toBe(1)
})
