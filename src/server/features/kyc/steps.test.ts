import { expect, test } from 'vitest'
import type { DocumentKind } from '#contract/kyc.ts'
import { contextFor, inTransaction, type Ctx } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { startServer } from '#test/server.ts'
import type { KycItem } from './attempt.ts'
import { saveKycAttempts } from './steps.ts'

const server = await startServer()
const platform = contextFor(server.services, { kind: 'platform', name: 'test' })
const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }
const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T10:00:00.000Z`

let made = 0
async function makeMember() {
  const id = `k-${++made}`
  await server.sql('INSERT INTO members (id, email) VALUES ($1, $2)', [id, `${id}@example.com`])
  return id
}
async function makeDocument(memberId: string, kind: DocumentKind) {
  const key = `doc_${memberId}_${kind}`
  await server.sql(
    `INSERT INTO documents (key, member_id, kind, upload_hash, stored_hash, byte_size, width, height)
     VALUES ($1, $2, $3, sha256(convert_to($1::text, 'UTF8')), sha256('x'), 1, 1, 1)`,
    [key, memberId, kind],
  )
  return key
}
async function save(...items: KycItem[]): Promise<string[]> {
  return saveAs(platform, items)
}
async function saveAs(ctx: Ctx, items: KycItem[]) {
  const outcomes = await inTransaction(ctx, (tx) => saveKycAttempts(tx, ctx, items))
  return outcomes.map((outcome) => (outcome instanceof AppError ? `${outcome.code}: ${outcome.message}` : outcome))
}
const row = async (table: string, memberId: string, attempt?: number) =>
  (
    await server.sql(
      `SELECT * FROM ${table} WHERE ${table === 'members' ? 'id' : 'member_id'} = $1 ${attempt ? 'AND attempt_number = $2' : ''}`,
      [memberId, ...(attempt ? [attempt] : [])],
    )
  )[0]!

test('steps come in any order and in several calls; the current step is the highest one sent (PRODUCT 4)', async () => {
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

test('submit makes the submission row and the verification, and fixes the steps (PRODUCT 4)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: at(3) }
  expect(await save(line)).toEqual(['created'])
  expect(await row('kyc_submissions', memberId)).toMatchObject({
    result: 'under_review',
    case_id: expect.stringMatching(/^case_[0-9a-f]{16}$/),
    submitted_at: new Date(at(3)),
    auto_processed: false,
  })
  expect(await row('kyc_verifications', memberId)).toMatchObject({
    status: 'pending',
    nationality: 'Portugal',
    document_type: null,
  })
  expect(await row('kyc_step2', memberId)).toMatchObject({ status: 'submitted', submitted_at: new Date(at(3)) })
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'under_review',
    kyc_submission_count: 1,
    kyc_submitted_at: new Date(at(3)),
  })
  expect(await save(line, { memberId, attempt: 1, step2 })).toEqual(['unchanged', 'unchanged'])
  const refused = await save(
    { ...line, step2: { ...step2, nationality: 'Brazil' } },
    { ...line, submittedAt: at(4) },
    { memberId, attempt: 1, step4: { selfiePath: 'doc_x' } },
  )
  expect(refused).toEqual(
    Array.from({ length: 3 }, () => expect.stringContaining('conflict: attempt: attempt 1 was submitted')),
  )
})

test('with a KYC provider configured a submission stands at submitted, and nothing is sent (PRODUCT 4)', async () => {
  const memberId = await makeMember()
  const ctx = { ...platform, config: { ...platform.config, kycWebhookUrl: 'https://kyc.example' } }
  expect(await saveAs(ctx, [{ memberId, attempt: 1, submit: true }])).toEqual(['created'])
  expect(await row('members', memberId)).toMatchObject({ kyc_status: 'submitted', kyc_current_step: 1 })
  expect(await server.sql('SELECT * FROM outbox')).toEqual([])
})

test('a step names only documents of its own member and of the right kind (PRODUCT 3.17)', async () => {
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

test('an imported decision approves with a membership id in order of decision, or rejects with its reason (PRODUCT 4)', async () => {
  const [late, early, rejected] = [await makeMember(), await makeMember(), await makeMember()]
  const approve = (memberId: string, day: number) => ({
    memberId,
    attempt: 1,
    step2,
    submit: true,
    submittedAt: at(1),
    decision: { result: 'approved' as const, decidedAt: at(day) },
  })
  const reject = {
    ...approve(rejected, 8),
    decision: { result: 'rejected' as const, reason: 'Blurred', decidedAt: at(8) },
  }
  const items = [approve(late, 9), approve(early, 5), reject]
  expect(await save(...items)).toEqual(['created', 'created', 'created'])
  const [earlyRow, lateRow] = [await row('members', early), await row('members', late)]
  expect(earlyRow).toMatchObject({
    kyc_status: 'approved',
    kyc_completed: true,
    kyc_decided_by: 'platform',
    membership_id: expect.stringMatching(/^MB-\d{8}$/),
  })
  expect(earlyRow.membership_id < lateRow.membership_id).toBe(true)
  expect(await row('members', rejected)).toMatchObject({
    kyc_status: 'rejected',
    kyc_rejection_reason: 'Blurred',
    membership_id: null,
  })
  expect(await row('kyc_verifications', rejected)).toMatchObject({
    status: 'rejected',
    rejection_reason: 'Blurred',
    decided_at: new Date(at(8)),
  })
  expect(await row('kyc_submissions', early)).toMatchObject({ result: 'approved' })
  expect(await row('kyc_step2', early)).toMatchObject({ status: 'approved' })
  expect(await save(...items)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect((await row('members', early)).membership_id).toBe(earlyRow.membership_id)
  expect(await save({ ...reject, decision: { ...reject.decision, reason: 'Other' } })).toEqual([
    expect.stringContaining('conflict: decision: attempt 1 is rejected'),
  ])
  expect(await server.sql('SELECT * FROM outbox')).toEqual([])
})

test('a decision can follow its submission on a later line, never precede it', async () => {
  const memberId = await makeMember()
  const decision = { result: 'approved' as const, decidedAt: at(7) }
  expect(await save({ memberId, attempt: 1, step2, decision })).toEqual([
    expect.stringContaining('has not been submitted'),
  ])
  expect(await row('kyc_step2', memberId)).toBeUndefined()
  expect(
    await save({ memberId, attempt: 1, submit: true, submittedAt: at(6) }, { memberId, attempt: 1, decision }),
  ).toEqual(['created', 'updated'])
  expect(await row('members', memberId)).toMatchObject({ kyc_status: 'approved', version: 3 })
})

test('a rejected member resubmits under a new attempt; the lower one and an approved member are closed (PRODUCT 4)', async () => {
  const memberId = await makeMember()
  const first = {
    memberId,
    attempt: 1,
    step2,
    submit: true,
    submittedAt: at(1),
    decision: { result: 'rejected' as const, reason: 'Blurred', decidedAt: at(2) },
  }
  const second = { memberId, attempt: 2, step2, submit: true, submittedAt: at(3) }
  expect(await save(first, second, first, { ...first, submittedAt: at(2) })).toEqual([
    'created',
    'created',
    'unchanged',
    expect.stringContaining('conflict: attempt: 1 is lower than the member'),
  ])
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'under_review',
    kyc_submission_count: 2,
    kyc_rejection_reason: 'Blurred',
    kyc_decided_attempt: 1,
  })
  await save({ memberId, attempt: 2, decision: { result: 'approved', decidedAt: at(4) } })
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'approved',
    kyc_rejection_reason: null,
    kyc_decided_attempt: 2,
  })
  expect(await save({ memberId, attempt: 3, step2 })).toEqual([
    expect.stringContaining('conflict: attempt: the member is approved'),
  ])
})

test('an unknown member is refused, and so is a reset attempt (PRODUCT 4)', async () => {
  expect(await save({ memberId: 'k-nobody', attempt: 1, submit: true })).toEqual([
    'not_found: memberId: there is no member k-nobody',
  ])
  const memberId = await makeMember()
  await save({ memberId, attempt: 1, step2, submit: true, submittedAt: at(1) })
  await server.sql(`UPDATE kyc_submissions SET result = 'pending' WHERE member_id = $1`, [memberId])
  expect(await save({ memberId, attempt: 1, decision: { result: 'approved', decidedAt: at(2) } })).toEqual([
    expect.stringContaining('conflict: decision: attempt 1 is pending'),
  ])
  expect(await save({ memberId, attempt: 1, step2, submit: true, submittedAt: at(1) })).toEqual(['unchanged'])
})

test('an item that says nothing is refused for an attempt that is over or not there, and changes no other (PRODUCT 4)', async () => {
  const memberId = await makeMember()
  expect(await save({ memberId, attempt: 1 }, { memberId, attempt: 7, submit: false, submittedAt: at(1) })).toEqual([
    'invalid: attempt: there is no attempt 1 yet; send a step of it or submit it',
    'invalid: attempt: there is no attempt 7 yet; send a step of it or submit it',
  ])
  await save({ memberId, attempt: 2, step2 }, { memberId, attempt: 3, step2 })
  const lower = "is lower than the member's latest attempt, 3"
  expect(await save(...[1, 2, 3].map((attempt) => ({ memberId, attempt })))).toEqual([
    `conflict: attempt: 1 ${lower}`,
    `conflict: attempt: 2 ${lower}`,
    'unchanged',
  ])
  expect(await row('members', memberId)).toMatchObject({ version: 3 })
})

test('a decision older than its submission is refused (PRODUCT 4)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: at(5) }
  expect(await save({ ...line, decision: { result: 'approved', decidedAt: at(4) } })).toEqual([
    `invalid: decision.decidedAt: must not be before submittedAt, ${at(5)}`,
  ])
  expect(await row('kyc_step2', memberId)).toBeUndefined()
  expect(await save({ ...line, decision: { result: 'approved', decidedAt: at(5) } })).toEqual(['created'])
})

test('every imported decision is an audit row, a refused or repeated one none (PRODUCT 3.12)', async () => {
  const memberId = await makeMember()
  const line = { memberId, step2, submit: true, submittedAt: at(1) }
  const items: KycItem[] = [
    { ...line, attempt: 1, decision: { result: 'rejected', reason: 'Blurred', decidedAt: at(2) } },
    { ...line, attempt: 2, submittedAt: at(3), decision: { result: 'approved', decidedAt: at(4) } },
  ]
  await save(...items, { memberId, attempt: 2, decision: { result: 'rejected', reason: 'Other', decidedAt: at(5) } })
  expect(await save(...items)).toEqual(['unchanged', 'unchanged'])
  const { membership_id: membershipId } = await row('members', memberId)
  const rows = await server.sql(
    'SELECT action, actor_name, target_type, details FROM audit_log WHERE target_id = $1 ORDER BY id',
    [memberId],
  )
  const common = { actor_name: 'platform:test', target_type: 'user' }
  expect(rows).toEqual([
    {
      ...common,
      action: 'reject_kyc',
      details: {
        attemptNumber: 1,
        rejectionReason: 'Blurred',
        decidedAt: at(2),
        before: { kycStatus: null, membershipId: null },
        after: { kycStatus: 'rejected', membershipId: null },
      },
    },
    {
      ...common,
      action: 'approve_kyc',
      details: {
        attemptNumber: 2,
        decidedAt: at(4),
        before: { kycStatus: 'rejected', membershipId: null },
        after: { kycStatus: 'approved', membershipId },
      },
    },
  ])
})

const reset = async (memberId: string, operator: string) => {
  const reply = await server.as(operator)('POST', `/api/users/${memberId}/kyc/reset`, {})
  expect(reply.statusCode, reply.body).toBe(200)
}

test('a conflict names who reset the attempt and when, not who had judged it before (PRODUCT 3.5)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: at(1) }
  const decision = { result: 'rejected' as const, reason: 'Blurred', decidedAt: at(2) }
  await save({ ...line, decision })
  await reset(memberId, 'grace')
  const year = new Date().getUTCFullYear()
  expect(await save({ ...line, decision }, { ...line, submittedAt: at(9) })).toEqual([
    expect.stringMatching(`attempt 1 is pending \\(set by grace on \\w{3} \\d\\d, ${year} at`),
    expect.stringMatching(`attempt 1 was submitted .* \\(set by grace on \\w{3} \\d\\d, ${year} at`),
  ])
})

test("a draft's steps sent again after a reset stand on the member's row again (docs/decisions/011)", async () => {
  const memberId = await makeMember()
  const selfiePath = await makeDocument(memberId, 'selfie')
  const draft = { memberId, attempt: 1, step2, step4: { selfiePath } }
  await save(draft)
  await reset(memberId, 'ada')
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
    Array.from({ length: 8 }, () => save({ memberId, attempt: 1, step2, submit: true, submittedAt: at(1) })),
  )
  expect(outcomes.flat().toSorted()).toEqual(['created', ...Array.from({ length: 7 }, () => 'unchanged')])
  expect(await row('members', memberId)).toMatchObject({ kyc_submission_count: 1, version: 2 })
})
