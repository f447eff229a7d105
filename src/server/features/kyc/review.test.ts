import { expect, test } from 'vitest'
import type { Member } from '#contract/schemas/members.ts'
import type { Verification } from '#contract/schemas/kyc-reviews.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer, type Caller } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')
const grace = server.as('grace')
const review = (id: string, body?: unknown, headers?: Record<string, string>, as: Caller = ada) =>
  as('POST', `/api/kyc/verifications/${id}/review`, body, headers)
const reject = { action: 'reject', rejectionReason: ' Blurred ', adminNotes: ' Ask again ' }

/** A member whose only attempt waits; answers the member's id and the verification's. */
async function makeWaiting(given: Parameters<typeof makeMember>[1] = {}) {
  const { id: userId } = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1, ...given })
  await makeAttempt(server, userId)
  return { userId, id: await verificationOf(userId, 1) }
}
const verificationOf = async (userId: string, attempt: number) => {
  const [row] = await server.sql<{ id: string }>(
    'SELECT id::text FROM kyc_verifications WHERE member_id = $1 AND attempt_number = $2',
    [userId, attempt],
  )
  return row!.id
}
const standing = async (userId: string) => ({
  member: await server.sql('SELECT kyc_status, membership_id, version FROM members WHERE id = $1', [userId]),
  verifications: await server.sql(
    'SELECT status, version FROM kyc_verifications WHERE member_id = $1 ORDER BY attempt_number',
    [userId],
  ),
  audit: await server.sql(
    'SELECT action, actor_name, audit_details(id, details) AS details FROM audit_log WHERE target_id = $1',
    [userId],
  ),
  events: await server.sql(`SELECT type FROM platform_events WHERE entity_id = $1`, [userId]),
})

test('approving a verification approves its member (product 7.1, 9.3)', async () => {
  const { userId, id } = await makeWaiting()
  const reply = await review(id, { action: 'approve', rejectionReason: 'ignored' }, { 'if-match': '"1"' })
  expect(reply.statusCode, reply.body).toBe(200)
  const { message, verification, user } = reply.json<{ message: string; verification: Verification; user: Member }>()
  expect(message).toBe('KYC Approved Successfully')
  expect(verification).toMatchObject({
    id,
    userId,
    status: 'approved',
    rejectionReason: null,
    adminNotes: null,
    decidedBy: 'ada',
    decidedAt: expect.stringMatching(/Z$/),
    claimedBy: null,
    version: 2,
  })
  expect(user).toMatchObject({ id: userId, kycStatus: 'approved', kycCompleted: true, version: 2 })
  expect(user.membershipId).toMatch(/^MB-\d{8}$/)
  expect(await standing(userId)).toMatchObject({
    audit: [{ action: 'approve_kyc', actor_name: 'ada', details: { attemptNumber: 1 } }],
    events: [{ type: 'kyc.approved' }],
  })
  expect(await server.sql('SELECT result, auto_processed FROM kyc_submissions WHERE member_id = $1', [userId])).toEqual(
    [{ result: 'approved', auto_processed: false }],
  )
})

test('rejecting needs a reason (product 9.5, 9.3)', async () => {
  const { userId, id } = await makeWaiting()
  for (const rejectionReason of [undefined, null, '', '  ']) {
    const refused = await review(id, { action: 'reject', rejectionReason })
    expect([refused.statusCode, refused.json().message]).toEqual([400, 'Rejection reason is required'])
  }
  const { message, verification, user } = (await review(id, reject)).json()
  expect(message).toBe('KYC Status Updated')
  expect(verification).toMatchObject({ status: 'rejected', rejectionReason: 'Blurred', adminNotes: 'Ask again' })
  expect(user).toMatchObject({ kycStatus: 'rejected', membershipId: null })
  expect((await standing(userId)).audit).toMatchObject([
    { action: 'reject_kyc', details: { rejectionReason: 'Blurred', adminNotes: 'Ask again' } },
  ])
})

test('a decided verification is 409 and says by whom it was decided and when (product 7.1)', async () => {
  const { userId, id } = await makeWaiting()
  await review(id, reject, undefined, grace)
  const year = new Date().getUTCFullYear()
  for (const body of [{ action: 'approve' }, reject]) {
    const reply = await review(id, body)
    expect([reply.statusCode, reply.json().code]).toEqual([409, 'attempt_decided'])
    expect(reply.json().message).toMatch(
      new RegExp(`This case is already rejected \\(set by grace on \\w{3} \\d\\d, ${year} at`),
    )
  }
  expect((await standing(userId)).audit).toHaveLength(1)
  const reset = await makeWaiting()
  await grace('POST', `/api/users/${reset.userId}/kyc/reset`, {})
  expect((await review(reset.id, reject)).json().message).toContain('This case is already reset (set by grace')
})

test("only the member's latest attempt is reviewed, a draft is not one (product 7.1)", async () => {
  const { userId, id } = await makeWaiting()
  await makeAttempt(server, userId, { attempt: 2, isSubmitted: false })
  await makeAttempt(server, userId, { attempt: 3 })
  await makeAttempt(server, userId, { attempt: 4, isSubmitted: false })
  const reply = await review(id, { action: 'approve' })
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    'This is attempt 1; attempt 3 has been submitted since',
  ])
  expect((await standing(userId)).verifications).toMatchObject([{ status: 'pending' }, { status: 'pending' }])
  expect((await review(await verificationOf(userId, 3), reject)).statusCode).toBe(200)
})

test('a member who is approved already is 409, with who approved (product 7.1)', async () => {
  const { userId, id } = await makeWaiting({
    kycStatus: 'approved',
    kycDecidedBy: 'grace',
    kycDecidedAt: '2026-02-03T04:05:06Z',
  })
  const reply = await review(id, reject)
  expect([reply.statusCode, reply.json().message]).toEqual([
    409,
    "This user's KYC is already approved (set by grace on Feb 03, 2026 at 04:05 UTC)",
  ])
  expect((await standing(userId)).audit).toEqual([])
})

test('a stale If-Match is 409 and changes nothing (product 8.4)', async () => {
  const { userId, id } = await makeWaiting()
  await server.sql('UPDATE kyc_verifications SET kyc_score = 40, version = 2 WHERE id = $1', [id])
  const before = await standing(userId)
  const reply = await review(id, { action: 'approve' }, { 'if-match': '"1"' })
  expect([reply.statusCode, reply.json()]).toEqual([
    409,
    expect.objectContaining({ code: 'stale', details: { version: 2, status: 'pending' } }),
  ])
  expect(await standing(userId)).toEqual(before)
  expect((await review(id, { action: 'approve' }, { 'if-match': '"2"' })).statusCode).toBe(200)
})

test('one of 20 simultaneous reviews is 200 and the others are 409 (product 7.1)', async () => {
  for (const headers of [{ 'if-match': '"1"' }, undefined]) {
    const { userId, id } = await makeWaiting()
    const replies = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        review(id, n % 3 ? { action: 'approve' } : reject, headers, n % 2 ? ada : grace),
      ),
    )
    expect(replies.map((reply) => reply.statusCode).toSorted((a, b) => a - b)).toEqual([200, ...Array(19).fill(409)])
    const { member, audit, events } = await standing(userId)
    expect([member[0]!.version, audit.length, events.length]).toEqual([2, 1, 1])
  }
})

test("a review and a decision on the member's own page at once are one decision", async () => {
  const { userId, id } = await makeWaiting()
  const page = { 'if-match': '"1"' }
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      n % 2 ? review(id, { action: 'approve' }) : grace('POST', `/api/users/${userId}/kyc/approve`, {}, page),
    ),
  )
  expect(replies.filter((reply) => reply.statusCode === 200)).toHaveLength(1)
  expect(replies.every((reply) => [200, 409].includes(reply.statusCode))).toBe(true)
  expect((await standing(userId)).audit).toHaveLength(1)
})

test('no verification is 404, not a review is 400, and nothing changes', async () => {
  const { userId, id } = await makeWaiting()
  for (const unknown of ['999999999', '0', '-1', 'x', '%00', '1e3', '9'.repeat(40), "1'--", '..%2f', id + '%20']) {
    const reply = await review(unknown, { action: 'approve' })
    expect([reply.statusCode, reply.json().message], unknown).toEqual([404, 'Verification not found'])
  }
  for (const [body, problem] of [
    [undefined, 'action: must be approve or reject'],
    [{}, 'action: must be approve or reject'],
    [{ action: 'reset' }, 'action: must be approve or reject'],
    [{ action: ['approve'] }, 'action: must be approve or reject'],
    [{ action: 'approve', adminNotes: 7 }, 'adminNotes'],
    [{ action: 'approve', adminNotes: 'x'.repeat(4001) }, 'adminNotes'],
    [{ action: 'approve', adminNotes: 'a\0b' }, 'adminNotes'],
    [{ action: 'reject', rejectionReason: 'x'.repeat(1001) }, 'rejectionReason'],
    [{ action: 'reject', rejectionReason: '\ud800' }, 'rejectionReason'],
    [{ action: 'approve', status: 'approved' }, 'status'],
  ] as const) {
    const reply = await review(id, body)
    expect([reply.statusCode, reply.json().message]).toEqual([400, expect.stringContaining(problem)])
  }
  expect((await review(id, { action: 'approve' }, { 'if-match': 'x' })).statusCode).toBe(400)
  expect(await standing(userId)).toMatchObject({ member: [{ version: 1 }], verifications: [{ version: 1 }], audit: [] })
})
