import { expect, test } from 'vitest'
import { atDay, createKycItems, step2 } from '#test/support/kyc-items.ts'
import { startServer } from '#test/support/server.ts'

const server = await startServer()
const { platform, makeMember, makeDocument, save, saveAs, row } = createKycItems(server)

test('steps come in any order, and the highest one sent is current (product 10.2)', async () => {
  const memberId = await makeMember()
  const selfiePath = await makeDocument(memberId, 'selfie')
  const frontDocumentPath = await makeDocument(memberId, 'front')
  expect(await save({ memberId, attempt: 1, step4: { selfiePath } })).toEqual(['created'])
  expect(await row('members', memberId)).toMatchObject({
    kyc_current_step: 4,
    kyc_selfie: selfiePath,
    kyc_status: null,
    version: 2,
  })
  expect(await save({ memberId, attempt: 1, step2 })).toEqual(['updated'])
  expect(await save({ memberId, attempt: 1, step2 })).toEqual(['unchanged'])
  expect(await save({ memberId, attempt: 1, step2: { ...step2, nationality: 'Brazil' } })).toEqual(['updated'])
  expect(await save({ memberId, attempt: 1, step3: { documentType: 'Passport', frontDocumentPath } })).toEqual([
    'updated',
  ])
  expect(await row('members', memberId)).toMatchObject({
    kyc_current_step: 4,
    kyc_front_document: frontDocumentPath,
    kyc_document_type: 'Passport',
    kyc_submission_count: 0,
    version: 5,
  })
  expect(await row('kyc_step2', memberId)).toMatchObject({ nationality: 'Brazil', status: 'draft' })
})

test('submit makes the submission row and the verification, and fixes the steps (product 10.2)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: atDay(3) }
  expect(await save(line)).toEqual(['created'])
  expect(await row('kyc_submissions', memberId)).toMatchObject({
    result: 'under_review',
    case_id: expect.stringMatching(/^case_[0-9a-f]{16}$/),
    submitted_at: new Date(atDay(3)),
    auto_processed: false,
  })
  expect(await row('kyc_verifications', memberId)).toMatchObject({
    status: 'pending',
    nationality: 'Portugal',
    document_type: null,
  })
  expect(await row('kyc_step2', memberId)).toMatchObject({ status: 'submitted', submitted_at: new Date(atDay(3)) })
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'under_review',
    kyc_submission_count: 1,
    kyc_submitted_at: new Date(atDay(3)),
  })
  expect(await save(line, { memberId, attempt: 1, step2 })).toEqual(['unchanged', 'unchanged'])
  const refused = await save(
    { ...line, step2: { ...step2, nationality: 'Brazil' } },
    { ...line, submittedAt: atDay(4) },
    { memberId, attempt: 1, step4: { selfiePath: 'doc_x' } },
  )
  expect(refused).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('attempt_submitted: attempt: attempt 1 was submitted')),
  )
})

test('a submission stands at submitted where a KYC provider is configured (product 11.2)', async () => {
  const memberId = await makeMember()
  const ctx = { ...platform, config: { ...platform.config, kycWebhookUrl: 'https://kyc.example' } }
  expect(await saveAs(ctx, [{ memberId, attempt: 1, submit: true }])).toEqual(['created'])
  expect(await row('members', memberId)).toMatchObject({ kyc_status: 'submitted', kyc_current_step: 1 })
  expect(await server.sql(`SELECT * FROM platform_events`)).toEqual([])
})

test('a step names only documents of its own member and of the right kind (product 6.4)', async () => {
  const [memberId, other] = [await makeMember(), await makeMember()]
  const front = await makeDocument(memberId, 'front')
  const foreign = await makeDocument(other, 'front')
  const step3 = (frontDocumentPath: string, backDocumentPath?: string) => ({
    memberId,
    attempt: 1,
    step3: { documentType: 'Passport', frontDocumentPath, ...(backDocumentPath && { backDocumentPath }) },
  })
  expect(
    await save(step3(foreign), step3('/etc/passwd'), step3(front, front), {
      memberId,
      attempt: 1,
      step4: { selfiePath: front },
    }),
  ).toEqual([
    'invalid: step3.frontDocumentPath: names no front document of this member',
    'invalid: step3.frontDocumentPath: names no front document of this member',
    'invalid: step3.backDocumentPath: names no back document of this member',
    'invalid: step4.selfiePath: names no selfie document of this member',
  ])
  expect(await row('kyc_step3', memberId)).toBeUndefined()
  const back = await makeDocument(memberId, 'back')
  expect(await save(step3(front, back), step3(front))).toEqual(['created', 'unchanged'])
  expect(await row('kyc_step3', memberId)).toMatchObject({ back_document: back })
})

test('an unknown member is refused, and so is a reset attempt (product 10.2)', async () => {
  expect(await save({ memberId: 'k-nobody', attempt: 1, submit: true })).toEqual([
    'not_found: memberId: there is no member k-nobody',
  ])
  const memberId = await makeMember()
  await save({ memberId, attempt: 1, step2, submit: true, submittedAt: atDay(1) })
  await server.sql(`UPDATE kyc_submissions SET result = 'pending' WHERE member_id = $1`, [memberId])
  expect(await save({ memberId, attempt: 1, decision: { result: 'approved', decidedAt: atDay(2) } })).toEqual([
    expect.stringContaining('attempt_decided: decision: attempt 1 is pending'),
  ])
  expect(await save({ memberId, attempt: 1, step2, submit: true, submittedAt: atDay(1) })).toEqual(['unchanged'])
})

test('an item that says nothing is refused for a closed or missing attempt (product 10.2)', async () => {
  const memberId = await makeMember()
  expect(await save({ memberId, attempt: 1 }, { memberId, attempt: 7, submit: false, submittedAt: atDay(1) })).toEqual([
    'invalid: attempt: there is no attempt 1 yet; send a step of it or submit it',
    'invalid: attempt: there is no attempt 7 yet; send a step of it or submit it',
  ])
  await save({ memberId, attempt: 2, step2 }, { memberId, attempt: 3, step2 })
  const lower = "is lower than the member's latest attempt, 3"
  expect(await save(...[1, 2, 3].map((attempt) => ({ memberId, attempt })))).toEqual([
    `attempt_superseded: attempt: 1 ${lower}`,
    `attempt_superseded: attempt: 2 ${lower}`,
    'unchanged',
  ])
  expect(await row('members', memberId)).toMatchObject({ version: 3 })
})

test("a draft's steps sent again after a reset stand on the member's row again (decision 011)", async () => {
  const memberId = await makeMember()
  const selfiePath = await makeDocument(memberId, 'selfie')
  const draft = { memberId, attempt: 1, step2, step4: { selfiePath } }
  await save(draft)
  expect((await server.as('ada')('POST', `/api/users/${memberId}/kyc/reset`, {})).statusCode).toBe(200)
  expect(await row('members', memberId)).toMatchObject({ kyc_current_step: 1, kyc_selfie: null, kyc_status: 'pending' })
  expect(await save({ memberId, attempt: 1, step2 }, draft)).toEqual(['updated', 'unchanged'])
  expect(await row('members', memberId)).toMatchObject({
    kyc_current_step: 4,
    kyc_selfie: selfiePath,
    kyc_status: 'pending',
  })
})

test('many submissions of one attempt at once make one', async () => {
  const memberId = await makeMember()
  const outcomes = await Promise.all(
    Array.from({ length: 8 }, () => save({ memberId, attempt: 1, step2, submit: true, submittedAt: atDay(1) })),
  )
  expect(outcomes.flat().toSorted()).toEqual(['created', ...Array.from({ length: 7 }, () => 'unchanged')])
  expect(await row('members', memberId)).toMatchObject({ kyc_submission_count: 1, version: 2 })
})
