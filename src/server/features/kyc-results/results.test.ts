import { expect, test } from 'vitest'
import { url, startResultReceiver } from '#test/support/result-receiver.ts'
import { makeAttempt } from '#test/support/make.ts'

const { server, ada, nobody, signed, send, makeSubmitted, result, member, verification, submission, receipts, trail } =
  await startResultReceiver()

test('an approval by the provider decides the case (product 7.1)', async () => {
  const id = await makeSubmitted()
  const reply = await send(result(id, { kycScore: 91 }))
  expect([reply.statusCode, reply.json()]).toEqual([
    200,
    { outcome: 'applied', note: 'The KYC provider has approved the member' },
  ])
  expect(await member(id)).toMatchObject({
    kyc_status: 'approved',
    membership_id: expect.stringMatching(/^MB-\d{8}$/),
    kyc_decided_by: 'KYC provider',
  })
  expect(await verification(id)).toMatchObject({
    status: 'approved',
    kyc_score: 91,
    provider_result: 'approved',
    decided_by: 'KYC provider',
    version: 2,
  })
  expect(await submission(id)).toMatchObject({ result: 'approved', auto_processed: true })
  expect(await trail(id)).toEqual({
    audit: [{ action: 'approve_kyc', actor_kind: 'system', actor_name: 'KYC provider' }],
    events: ['kyc.approved'],
  })
  expect(await receipts(id)).toMatchObject([
    { state: 'applied', signature: 'valid', http_status: 200, case_id: `case-${id}-1`, attempt_number: 1 },
  ])
})

test('every list shows an approval by the provider (product 11.2)', async () => {
  const id = await makeSubmitted()
  const before = (await ada('GET', '/api/kyc/analytics')).json()
  await send(result(id, { kycScore: 91 }))
  const after = (await ada('GET', '/api/kyc/analytics')).json()
  expect(after).toEqual({
    ...before,
    underReview: before.underReview - 1,
    approved: before.approved + 1,
    auto: before.auto + 1,
  })
  const { email } = await member(id)
  const search = `search=${encodeURIComponent(String(email))}`
  expect((await ada('GET', `/api/users?${search}`)).json().users).toMatchObject([{ kycStatus: 'approved' }])
  expect((await ada('GET', `/api/kyc/verifications?${search}`)).json().verifications).toMatchObject([
    { status: 'approved', kycScore: 91, providerResult: 'approved', providerReason: null, decidedBy: 'KYC provider' },
  ])
  expect((await ada('GET', `/api/kyc/submission-history?${search}`)).json().history).toMatchObject([
    { result: 'approved', autoProcessed: true, canApprove: false },
  ])
  for (const step of ['step2', 'step3', 'step4'])
    expect((await ada('GET', `/api/kyc/${step}-history?${search}`)).json().history).toMatchObject([
      { status: 'approved' },
    ])
})

test('a rejection by the provider needs its reason (product 7.1)', async () => {
  const id = await makeSubmitted()
  const refused = await send(result(id, { result: 'rejected', reason: '  ' }))
  expect([refused.statusCode, refused.json().message]).toEqual([400, 'reason: a rejection needs its reason'])
  expect((await send(result(id, { result: 'rejected', reason: 'Glare on the photo' }))).json().outcome).toBe('applied')
  expect(await member(id)).toMatchObject({ kyc_status: 'rejected', kyc_rejection_reason: 'Glare on the photo' })
  expect(await verification(id)).toMatchObject({ status: 'rejected', provider_reason: 'Glare on the photo' })
  expect((await trail(id)).events).toEqual(['kyc.rejected'])
  const kept = await receipts(id)
  expect(kept.map(({ state, http_status }) => [state, http_status])).toEqual([
    ['refused', 400],
    ['applied', 200],
  ])
  expect(JSON.stringify(kept.map(({ body_excerpt }) => body_excerpt))).not.toContain('Glare')
})

test('an undecided result leaves the member under review (product 11.2)', async () => {
  const id = await makeSubmitted()
  await send(result(id, { result: 'under_review', autoProcessed: true, kycScore: 55 }))
  expect(await member(id)).toMatchObject({ kyc_status: 'under_review', version: 2, kyc_decided_by: null })
  const reply = await send(result(id, { result: 'rejected', reason: 'Blurred', autoProcessed: false }))
  expect(reply.json()).toEqual({ outcome: 'applied', note: 'The KYC provider says rejected; an operator decides' })
  // A score that is not given again stays.
  expect(await verification(id)).toMatchObject({
    status: 'pending',
    kyc_score: 55,
    provider_result: 'rejected',
    provider_reason: 'Blurred',
    version: 3,
  })
  expect(await member(id)).toMatchObject({ kyc_status: 'under_review', version: 2 })
  expect(await submission(id)).toMatchObject({ result: 'under_review', auto_processed: false })
  expect(await trail(id)).toEqual({ audit: [], events: [] })
  const approved = await ada('POST', `/api/users/${id}/kyc/approve`, {})
  expect(approved.statusCode, approved.body).toBe(200)
  expect(await submission(id)).toMatchObject({ result: 'approved', auto_processed: false })
})

test('a result for a decided case is recorded and changes nothing (product 11.2)', async () => {
  const id = await makeSubmitted()
  await ada('POST', `/api/users/${id}/kyc/reject`, { rejectionReason: 'Expired' })
  const before = [await member(id), await verification(id), await submission(id)]
  const reply = await send(result(id))
  expect(reply.json()).toEqual({
    outcome: 'recorded',
    note: expect.stringMatching(/^The case was decided by ada on .+ UTC; nothing was changed$/),
  })
  expect([await member(id), await verification(id), await submission(id)]).toEqual(before)
  expect(await receipts(id)).toMatchObject([{ state: 'recorded', signature: 'valid' }])
})

test('a result for an attempt that another has followed changes nothing (product 11.2)', async () => {
  const id = await makeSubmitted()
  await makeAttempt(server, id, { attempt: 2 })
  expect((await send(result(id))).json().note).toBe('Attempt 2 has been submitted since; nothing was changed')
  expect((await verification(id)).provider_result).toBeNull()
  expect((await send(result(id, { attemptNumber: 2, caseId: `case-${id}-2` }))).json().outcome).toBe('applied')
  expect((await verification(id, 2)).status).toBe('approved')
})

test('a result for an unknown member, attempt or case changes nothing (product 11.2)', async () => {
  const id = await makeSubmitted()
  const refusals = [
    [result('no-one'), 404, 'userId: there is no member no-one'],
    [result(id, { attemptNumber: 3 }), 404, 'attemptNumber: attempt 3 was not submitted'],
    [result(id, { caseId: 'case-of-another' }), 409, 'caseId: attempt 1 of this member is another case'],
  ] as const
  for (const [body, status, message] of refusals) {
    const reply = await send(body)
    expect([reply.statusCode, reply.json().message]).toEqual([status, message])
  }
  expect((await receipts(id)).map(({ state, http_status }) => [state, http_status])).toEqual([
    ['refused', 404],
    ['refused', 409],
  ])
  expect(await receipts('no-one')).toMatchObject([{ state: 'refused', signature: 'valid', http_status: 404 }])
  expect((await verification(id)).provider_result).toBeNull()
})

test('a body in another form is 400 and names the field, though it is signed (product 8.5)', async () => {
  const id = await makeSubmitted()
  for (const [message, wrong] of [
    [{ ...result(id), kycScore: 101 }, 'kycScore: must be at most 100'],
    [{ ...result(id), result: 'maybe' }, 'result: must be one of approved, rejected, under_review'],
    [{ ...result(id), resultAt: 'yesterday' }, 'resultAt: must be an ISO 8601 instant such as 2026-01-05T09:00:00Z'],
    [{ ...result(id), extra: 1 }, 'extra'],
    [{ ...result(id), 'ana@example.com': 1 }, '[redacted]: is not known here'],
    [{ ...result(id), ['x\0'.repeat(900)]: 1 }, 'is not known here'],
    [{ ...result(id), attemptNumber: '1' }, 'attemptNumber: must be a number'],
    [{ ...result(id), caseId: 'a\0b' }, 'caseId'],
    [[], 'body'],
    [null, 'body: must be an object'],
  ] as const) {
    const reply = await send(message)
    expect(reply.statusCode, reply.body).toBe(400)
    expect(reply.json().message).toContain(wrong)
  }
  expect((await send({ ...result(id), extra: 1 })).json().details).toEqual([
    { field: 'extra', message: 'is not known here' },
  ])
  expect((await send(null, { body: '{"a":1,"a":2}' })).json().message).toBe('The body gives a field twice')
  expect((await send(null, { body: '{"caseId":' })).json().message).toBe('The body is not valid JSON in UTF-8')
  expect((await send(result(id), { id: 'x'.repeat(201) })).json().message).toContain('webhook-id')
  expect((await send(result(id), { headers: { 'content-type': 'text/plain' } })).statusCode).toBe(415)
  expect((await send({ ...result(id), reason: 'x'.repeat(70_000) })).statusCode).toBe(413)
  expect((await verification(id)).provider_result).toBeNull()
})

test('a message sent again under a new signature is a duplicate (product 11.1)', async () => {
  const id = await makeSubmitted()
  const at = new Date(Date.now() - 60_000)
  const first = { id: `twice-${id}`, at }
  expect((await send(result(id, { autoProcessed: false }), first)).json().outcome).toBe('applied')
  const again = { id: `twice-${id}`, at: new Date() }
  expect((await send(result(id), again)).json().outcome).toBe('duplicate')
  for (const caught of [first, again]) {
    const replayed = await send(result(id), caught)
    expect([replayed.statusCode, replayed.json().code]).toEqual([409, 'message_replayed'])
    expect(replayed.json(), 'nothing to say beside the message').not.toHaveProperty('details')
  }
  expect((await receipts(id)).map(({ state, signature }) => `${state} ${signature}`)).toEqual([
    'applied valid',
    'duplicate valid',
    'refused replayed',
    'refused replayed',
  ])
  expect((await verification(id)).status).toBe('pending')
})

const later = 'The provider has said something later of this case; nothing was changed'
const ago = (seconds: number) => new Date(Date.now() - seconds * 1000)

test('a result older than the one that stands is only recorded, whenever it is signed', async () => {
  const id = await makeSubmitted()
  const advice = { autoProcessed: false, kycScore: 80, resultAt: ago(60).toISOString() }
  await send(result(id, advice), { at: ago(10) })
  const old = { result: 'rejected' as const, reason: 'Old', resultAt: ago(120).toISOString() }
  expect((await send(result(id, old))).json()).toEqual({ outcome: 'recorded', note: later })
  expect(await verification(id)).toMatchObject({ status: 'pending', provider_result: 'approved', kyc_score: 80 })
  const newer = { autoProcessed: false, kycScore: 20, resultAt: ago(30).toISOString() }
  expect((await send(result(id, newer), { at: ago(200) })).json().outcome).toBe('applied')
  expect(await verification(id)).toMatchObject({ kyc_score: 20 })
})

test('results without a time of their own count by their first arrival', async () => {
  const id = await makeSubmitted()
  const advise = (kycScore: number, more: object = {}) => send(result(id, { autoProcessed: false, kycScore }), more)
  await advise(80, { at: ago(10) })
  expect((await advise(30, { at: ago(70) })).json().outcome).toBe('applied')
  expect(await verification(id)).toMatchObject({ kyc_score: 30 })
})

test('a message that was refused at first counts from when it first came', async () => {
  const id = await makeSubmitted()
  const advice = (kycScore: number, attemptNumber = 1) => result(id, { autoProcessed: false, kycScore, attemptNumber })
  expect((await send({ ...advice(10), caseId: 'case_of_another' }, { id: 'first', at: ago(20) })).statusCode).toBe(409)
  await send(advice(50), { id: 'second', at: ago(15) })
  expect((await send(advice(10), { id: 'first' })).json()).toEqual({ outcome: 'recorded', note: later })
  expect(await verification(id)).toMatchObject({ kyc_score: 50 })
})

test('a result of a time to come is refused', async () => {
  const id = await makeSubmitted()
  const reply = await send(result(id, { resultAt: ago(-600).toISOString() }))
  expect([reply.statusCode, reply.json().message]).toEqual([400, 'resultAt: must not be in the future'])
})

test('of one message sent 20 times at once, and of 20 messages at once, one decides (product 11.2)', async () => {
  const [same, other] = [await makeSubmitted(), await makeSubmitted()]
  const once = signed(result(same), { id: `once-${same}` })
  const replies = await Promise.all(Array.from({ length: 20 }, () => nobody('POST', url, once.body, once.headers)))
  expect(replies.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, ...Array(19).fill(409)])
  const many = await Promise.all(Array.from({ length: 20 }, () => send(result(other))))
  expect(many.map((reply) => reply.json().outcome).toSorted()).toEqual(['applied', ...Array(19).fill('recorded')])
  for (const id of [same, other])
    expect(await trail(id)).toMatchObject({ audit: [{ action: 'approve_kyc' }], events: ['kyc.approved'] })
})
