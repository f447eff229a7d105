import { expect, test } from 'vitest'
import { atDay, createKycItems, step2 } from '#test/support/kyc-items.ts'
import { startServer } from '#test/support/server.ts'
import type { KycItem } from './attempt.ts'

const server = await startServer()
const { makeMember, save, row } = createKycItems(server)

test('an imported decision approves with a membership id or rejects with a reason (product 10.3)', async () => {
  const [late, early, rejected] = [await makeMember(), await makeMember(), await makeMember()]
  const approve = (memberId: string, day: number) => ({
    memberId,
    attempt: 1,
    step2,
    submit: true,
    submittedAt: atDay(1),
    decision: { result: 'approved' as const, decidedAt: atDay(day) },
  })
  const reject = {
    ...approve(rejected, 8),
    decision: { result: 'rejected' as const, reason: 'Blurred', decidedAt: atDay(8) },
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
    decided_at: new Date(atDay(8)),
  })
  expect(await row('kyc_submissions', early)).toMatchObject({ result: 'approved' })
  expect(await row('kyc_step2', early)).toMatchObject({ status: 'approved' })
  expect(await save(...items)).toEqual(['unchanged', 'unchanged', 'unchanged'])
  expect((await row('members', early)).membership_id).toBe(earlyRow.membership_id)
  expect(await save({ ...reject, decision: { ...reject.decision, reason: 'Other' } })).toEqual([
    expect.stringContaining('attempt_decided: decision: attempt 1 is rejected'),
  ])
  expect(await server.sql(`SELECT * FROM platform_events`)).toEqual([])
})

test('a decision must come with its submission', async () => {
  const memberId = await makeMember()
  const decision = { result: 'approved' as const, decidedAt: atDay(7) }
  expect(await save({ memberId, attempt: 1, step2, decision })).toEqual([
    expect.stringContaining('has not been submitted'),
  ])
  expect(await row('kyc_step2', memberId)).toBeUndefined()
  const submission = { memberId, attempt: 1, submit: true, submittedAt: atDay(6) }
  expect(await save(submission, { memberId, attempt: 1, decision })).toEqual([
    'created',
    'decision_waits_here: decision: attempt 1 waits for an operator here, who decides it',
  ])
  expect(await row('members', memberId)).toMatchObject({ kyc_status: 'under_review', version: 2 })
})

test('a rejected member resubmits under a new attempt (product 10.3)', async () => {
  const memberId = await makeMember()
  const first = {
    memberId,
    attempt: 1,
    step2,
    submit: true,
    submittedAt: atDay(1),
    decision: { result: 'rejected' as const, reason: 'Blurred', decidedAt: atDay(2) },
  }
  const second = { memberId, attempt: 2, step2, submit: true, submittedAt: atDay(3) }
  expect(await save(first, second, first, { ...first, submittedAt: atDay(2) })).toEqual([
    'created',
    'created',
    'unchanged',
    expect.stringContaining('attempt_superseded: attempt: 1 is lower than the member'),
  ])
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'under_review',
    kyc_submission_count: 2,
    kyc_rejection_reason: 'Blurred',
    kyc_decided_attempt: 1,
  })
  expect((await server.as('grace')('POST', `/api/users/${memberId}/kyc/approve`, {})).statusCode).toBe(200)
  expect(await row('members', memberId)).toMatchObject({
    kyc_status: 'approved',
    kyc_rejection_reason: null,
    kyc_decided_attempt: 2,
  })
  expect(await save({ memberId, attempt: 3, step2 })).toEqual([
    expect.stringContaining('member_approved: attempt: the member is approved'),
  ])
})

test('a decision older than its submission is refused (product 10.3)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: atDay(5) }
  expect(await save({ ...line, decision: { result: 'approved', decidedAt: atDay(4) } })).toEqual([
    `invalid: decision.decidedAt: must not be before submittedAt, ${atDay(5)}`,
  ])
  expect(await row('kyc_step2', memberId)).toBeUndefined()
  expect(await save({ ...line, decision: { result: 'approved', decidedAt: atDay(5) } })).toEqual(['created'])
})

test('every imported decision is an audit row, a refused or repeated one none (product 7.1)', async () => {
  const memberId = await makeMember()
  const line = { memberId, step2, submit: true, submittedAt: atDay(1) }
  const items: KycItem[] = [
    { ...line, attempt: 1, decision: { result: 'rejected', reason: 'Blurred', decidedAt: atDay(2) } },
    { ...line, attempt: 2, submittedAt: atDay(3), decision: { result: 'approved', decidedAt: atDay(4) } },
  ]
  await save(...items, { memberId, attempt: 2, decision: { result: 'rejected', reason: 'Other', decidedAt: atDay(5) } })
  expect(await save(...items)).toEqual(['unchanged', 'unchanged'])
  const { membership_id: membershipId } = await row('members', memberId)
  const rows = await server.sql(
    'SELECT action, actor_name, target_type, audit_details(id, details) AS details FROM audit_log WHERE target_id = $1 ORDER BY id',
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
        decidedAt: atDay(2),
        before: { kycStatus: null, membershipId: null },
        after: { kycStatus: 'rejected', membershipId: null },
      },
    },
    {
      ...common,
      action: 'approve_kyc',
      details: {
        attemptNumber: 2,
        decidedAt: atDay(4),
        before: { kycStatus: 'rejected', membershipId: null },
        after: { kycStatus: 'approved', membershipId },
      },
    },
  ])
})

test('a conflict names who reset the attempt and when, not who had judged it before (product 8.5)', async () => {
  const memberId = await makeMember()
  const line = { memberId, attempt: 1, step2, submit: true, submittedAt: atDay(1) }
  const decision = { result: 'rejected' as const, reason: 'Blurred', decidedAt: atDay(2) }
  await save({ ...line, decision })
  expect((await server.as('grace')('POST', `/api/users/${memberId}/kyc/reset`, {})).statusCode).toBe(200)
  const year = new Date().getUTCFullYear()
  expect(await save({ ...line, decision }, { ...line, submittedAt: atDay(9) })).toEqual([
    expect.stringMatching(`attempt 1 is pending \\(set by grace on \\w{3} \\d\\d, ${year} at`),
    expect.stringMatching(`attempt 1 was submitted .* \\(set by grace on \\w{3} \\d\\d, ${year} at`),
  ])
})
