import { expect, test } from 'vitest'
import type { MissingPart } from '#contract/kyc-parts.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const ada = server.as('ada')

/** A member under review whose attempt lacks the rows of some steps. */
async function makeLackingCase(...steps: (2 | 3 | 4)[]) {
  const { id } = await makeMember(server, { kycStatus: 'under_review', kycSubmissionCount: 1 })
  await makeAttempt(server, id)
  for (const step of steps) await server.sql(`DELETE FROM kyc_step${step} WHERE member_id = $1`, [id])
  const [row] = await server.sql<{ id: string }>('SELECT id::text FROM kyc_verifications WHERE member_id = $1', [id])
  return { id, verification: row!.id }
}

/** What the audit rows of a member's decisions say was missing. */
const readMissing = async (id: string) =>
  (
    await server.sql<{ missing: MissingPart[] | null }>(
      `SELECT details->'missing' AS missing FROM audit_log WHERE target_id = $1 ORDER BY id`,
      [id],
    )
  ).map(({ missing }) => missing)

test('the lists and the case say what was sent of a waiting attempt', async () => {
  const cases = [await makeLackingCase(), await makeLackingCase(4), await makeLackingCase(2, 3, 4)]
  const none = { personalData: false, documentType: null, front: false, back: false, selfie: false }
  const whole = { personalData: true, documentType: 'passport', front: true, back: true, selfie: true }
  const sent = [whole, { ...whole, selfie: false }, none]
  const list = (await ada('GET', '/api/kyc/verifications')).json()
  const history = (await ada('GET', '/api/kyc/submission-history')).json()
  for (const [at, { id, verification }] of cases.entries()) {
    const ofMember = ({ userId }: { userId: string }) => userId === id
    expect(list.verifications.find(ofMember).sent).toEqual(sent[at])
    expect(history.history.find(ofMember).sent).toEqual(sent[at])
    const opened = (await ada('POST', `/api/kyc/cases/${verification}/claim`)).json()
    expect(opened.case.verification.sent).toEqual(sent[at])
  }
  const decided = await ada('POST', `/api/kyc/verifications/${cases[0]!.verification}/review`, { action: 'approve' })
  expect(decided.json().verification.sent).toBeNull()
})

test('a bulk job of approvals counts the cases that lack something (product 5.18)', async () => {
  const cases = [
    await makeLackingCase(),
    await makeLackingCase(4),
    await makeLackingCase(4),
    await makeLackingCase(2, 3),
  ]
  const ids = cases.map(({ verification }) => verification)
  const prepare = async (action: string) => (await ada('POST', '/api/bulk', { action, ids })).json()
  expect(await prepare('approve_cases')).toMatchObject({ ready: 4, doubtful: 3 })
  expect(await prepare('reject_cases')).toMatchObject({ ready: 4, doubtful: null })
})

test('an approval is traced with what was missing, from either call', async () => {
  const reviewed = await makeLackingCase(4)
  const reply = await ada('POST', `/api/kyc/verifications/${reviewed.verification}/review`, { action: 'approve' })
  expect(reply.statusCode).toBe(200)
  expect(await readMissing(reviewed.id)).toEqual([['selfie']])
  const decided = await makeLackingCase(2, 3)
  await ada('POST', `/api/users/${decided.id}/kyc/approve`)
  expect(await readMissing(decided.id)).toEqual([['personal_data', 'document_type', 'front']])
})

test('an approval of what lacks nothing, and a rejection, name nothing as missing', async () => {
  const whole = await makeLackingCase()
  await ada('POST', `/api/users/${whole.id}/kyc/approve`)
  const rejected = await makeLackingCase(4)
  await ada('POST', `/api/users/${rejected.id}/kyc/reject`, { rejectionReason: 'No selfie' })
  expect([await readMissing(whole.id), await readMissing(rejected.id)]).toEqual([[null], [null]])
})

test('an approval without an attempt, and after a reset, says that none was submitted', async () => {
  const { id } = await makeMember(server)
  await ada('POST', `/api/users/${id}/kyc/approve`)
  expect(await readMissing(id)).toEqual([['attempt']])
  const reset = await makeLackingCase()
  await ada('POST', `/api/users/${reset.id}/kyc/reset`)
  await ada('POST', `/api/users/${reset.id}/kyc/approve`)
  expect(await readMissing(reset.id)).toEqual([null, ['attempt']])
})
