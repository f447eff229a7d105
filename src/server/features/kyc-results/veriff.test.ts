import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventually } from '#test/support/eventually.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { createPlatformCaller } from '#test/support/platform-calls.ts'
import { startServer } from '#test/support/server.ts'
import { createSubmittedCases } from '#test/support/submitted-cases.ts'

const [apiKey, secret] = ['8e4f7cd8-7a19-4d7d-971f-a076407ee03c', 'veriff-secret-of-the-tests']
const server = await startServer({ VERIFF_API_KEY: apiKey, VERIFF_WEBHOOK_SECRET: secret })
const nobody = server.as(null)
const { makeSubmitted, readDecision } = createSubmittedCases(server)
const url = '/api/platform/v1/kyc-results'
const step2 = { dateOfBirth: '1991-03-14', nationality: 'Portugal', countryOfResidence: 'Spain' }

const macOf = (body: string | Buffer) => createHmac('sha256', secret).update(body).digest('hex')
const post = (body: string | Buffer, headers: Record<string, string>) =>
  nobody('POST', url, body, { 'content-type': 'application/json', ...headers })
const signedBy = (body: string | Buffer) => ({ 'x-auth-client': apiKey, 'x-hmac-signature': macOf(body) })
const sendText = (body: string | Buffer) => post(body, signedBy(body))
const send = (message: unknown) => sendText(JSON.stringify(message))

const words = {
  9001: 'approved',
  9102: 'declined',
  9103: 'resubmission_requested',
  9104: 'expired',
  9121: 'review',
} as const
type Code = keyof typeof words

/** A body as Veriff documents it. */
const decision = (vendorData: string | null, code: Code = 9001, more: object = {}) => ({
  status: 'success',
  verification: {
    id: `session-of-${vendorData}`,
    attemptId: '00bca969-b53a-4fad-b065-874d41a7b2b8',
    code,
    status: words[code],
    reason: null,
    reasonCode: null,
    decisionTime: new Date().toISOString(),
    vendorData,
    person: { firstName: 'Sarah', lastName: 'Morgan', dateOfBirth: '1967-03-30' },
    document: { type: 'DRIVERS_LICENSE', number: 'MORGA753116SM9IJ', country: 'GB' },
    ...more,
  },
  technicalData: { ip: '186.153.67.122' },
})
const event = (vendorData: string, code: 7001 | 7002) => ({
  id: `session-of-${vendorData}`,
  attemptId: '00bca969-b53a-4fad-b065-874d41a7b2b8',
  feature: 'selfid',
  code,
  action: code === 7001 ? 'started' : 'submitted',
  vendorData,
})

const fullAuto = { eventType: 'fully_automated', data: { verification: { decision: 'approved', person: 'Morgan' } } }
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()
const rowsOf = (id: string) =>
  server.sql(
    `SELECT source, type, signature, state, attempt_number, case_id FROM messages
     WHERE direction = 'in' AND entity_id = $1 ORDER BY id`,
    [id],
  )
const untouched = { kyc_status: 'submitted', status: 'pending', provider_result: null }

test.each(['member', 'case'] as const)('9001 with the id of a %s approves the member (product 11.2)', async (by) => {
  const id = await makeSubmitted()
  const reply = await send(decision(by === 'case' ? `case-${id}-1` : id))
  expect([reply.statusCode, reply.json()], reply.body).toEqual([
    200,
    { outcome: 'applied', note: 'The KYC provider has approved the member' },
  ])
  expect(await readDecision(id)).toMatchObject({
    kyc_status: 'approved',
    provider_result: 'approved',
    auto_processed: true,
  })
  const of = { attempt_number: 1, case_id: `case-${id}-1` }
  expect(await rowsOf(id)).toEqual([
    { source: 'veriff', type: 'verification.approved', signature: 'valid', state: 'applied', ...of },
  ])
})

test('9102 rejects for good, and keeps its reason from member and platform (product 11.2)', async () => {
  const id = await makeSubmitted()
  await send(decision(id, 9102, { reason: 'Known fraud', reasonCode: 106 }))
  expect(await readDecision(id)).toMatchObject({
    kyc_status: 'rejected',
    rejection_reason: 'The documents were rejected',
    provider_reason: 'The documents were rejected (final)',
    admin_notes: 'The KYC provider calls this rejection final. Reason 106: Known fraud',
  })
  expect(JSON.stringify(await server.sql(`SELECT payload FROM platform_events`))).not.toContain('fraud')
})

test('after a final rejection the next attempt waits for a reset (product 7.2)', async () => {
  const call = createPlatformCaller(server)
  const ada = server.as('ada')
  const id = await makeSubmitted()
  await send(decision(id, 9102))
  const tryAgain = async () => (await call('PUT', `/members/${id}/kyc/2`, { step2, submit: true })).json()
  const readKyc = async () => (await call('GET', `/members/${id}`)).json().kyc
  expect(await readKyc()).toMatchObject({ status: 'rejected', final: true, nextAttempt: null })
  expect(await tryAgain()).toMatchObject({ code: 'rejected_finally', details: { by: 'KYC provider' } })
  await ada('POST', `/api/users/${id}/kyc/reject`, { rejectionReason: 'Blurred' })
  expect(await tryAgain()).toMatchObject({ code: 'rejected_finally', details: { by: 'ada' } })
  const events = await server.sql(
    `SELECT payload ->> 'final' AS final FROM platform_events WHERE type = 'kyc.rejected' AND entity_id = $1 ORDER BY id`,
    [id],
  )
  expect(events).toEqual([{ final: 'true' }, { final: 'true' }])
  await ada('POST', `/api/users/${id}/kyc/reset`, {})
  expect(await readKyc()).toMatchObject({ status: 'pending', final: false, nextAttempt: 2 })
  expect(await tryAgain()).toEqual({ outcome: 'created' })
})

test('9103 rejects with the reason for the member, who may try again (product 11.2)', async () => {
  const [told, bare] = [await makeSubmitted(), await makeSubmitted()]
  await send(decision(told, 9103, { reason: ' Face is not\0 visible ', reasonCode: 201 }))
  expect(await readDecision(told)).toMatchObject({
    kyc_status: 'rejected',
    rejection_reason: 'Face is not visible',
    provider_reason: 'Face is not visible',
    admin_notes: null,
  })
  await send(decision(bare, 9103))
  expect((await readDecision(bare)).rejection_reason).toBe('The documents have to be sent again')
})

test('9121 puts the member under review, and a later decision decides (product 11.2)', async () => {
  const id = await makeSubmitted()
  const review = await send(decision(id, 9121, { decisionTime: minutesAgo(3) }))
  expect(review.json().note).toBe('The KYC provider says under review; an operator decides')
  expect(await readDecision(id)).toMatchObject({ kyc_status: 'under_review', provider_result: 'under_review' })
  expect((await send(decision(id, 9001))).json().outcome).toBe('applied')
  expect((await readDecision(id)).kyc_status).toBe('approved')
})

test('messages that name no decision are recorded and change nothing (product 11.2)', async () => {
  const id = await makeSubmitted()
  for (const [message, type] of [
    [event(id, 7001), 'verification.started'],
    [event(id, 7002), 'verification.submitted'],
    [decision(id, 9104, { decisionTime: null }), 'verification.expired'],
    [decision(id, 9104, { status: 'abandoned', decisionTime: null }), 'verification.abandoned'],
    [event('stranger', 7001), 'verification.started'],
    [{ ...event(id, 7002), vendorData: null }, 'verification.submitted'],
    [{ ...fullAuto, vendorData: id }, 'fully_automated'],
    [{ checkType: 'updated_result', sessionId: 's', vendorData: id, matchStatus: 'possible_match' }, 'updated_result'],
  ] as const) {
    const reply = await send(message)
    const note = `${type} says nothing of a review; nothing was changed`
    expect([reply.statusCode, reply.json()]).toEqual([200, { outcome: 'recorded', note }])
  }
  expect(await readDecision(id)).toMatchObject(untouched)
  const caseId = 'case_0123456789abcdef'
  await send(event(caseId, 7001))
  const named = await server.sql('SELECT entity_id FROM messages WHERE case_id = $1', [caseId])
  expect(named, 'a case is not a member').toEqual([{ entity_id: null }])
})

test('a wrong, legacy or missing signature, or another key, is 401 (product 11.2)', async () => {
  const id = await makeSubmitted()
  const body = JSON.stringify(decision(id))
  const good = signedBy(body)
  const legacy = createHash('sha256').update(body).update(secret).digest('hex')
  const mac = good['x-hmac-signature']
  const ahead = JSON.stringify(decision(id, 9001, { decisionTime: new Date(Date.now() + 301_000).toISOString() }))
  for (const [text, headers, verdict] of [
    [`${body} `, good, 'invalid'],
    [body, { ...good, 'x-hmac-signature': `${mac}a` }, 'invalid'],
    [body, { ...good, 'x-hmac-signature': mac.slice(0, -1) }, 'invalid'],
    [body, { ...good, 'x-hmac-signature': '' }, 'invalid'],
    [body, { ...good, 'x-hmac-signature': legacy }, 'invalid'],
    [body, { 'x-auth-client': apiKey, 'x-signature': legacy }, 'invalid'],
    [body, { 'x-auth-client': apiKey, 'x-signature': mac }, 'invalid'],
    [body, { ...good, 'x-auth-client': apiKey.toUpperCase() }, 'invalid'],
    [body, { 'x-hmac-signature': mac }, 'invalid'],
    [body, { 'x-auth-client': apiKey }, 'missing'],
    [body, { 'x-signature': legacy }, 'missing'],
    [body, { 'x-payload-digest': mac }, 'invalid'],
    [ahead, signedBy(ahead), 'stale'],
  ] as const) {
    const reply = await post(text, headers)
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
    const [kept] = await server.sql(
      `SELECT signature, state FROM messages WHERE direction = 'in' ORDER BY id DESC LIMIT 1`,
    )
    expect(kept).toEqual({ signature: verdict, state: 'refused' })
  }
  expect(await readDecision(id)).toMatchObject(untouched)
  // Refusals are counted beside the answers.
  await eventually(async () => {
    const events = await server.sql(
      `SELECT description FROM security_events WHERE event_type = 'signature_refused' AND severity = 'high'`,
    )
    expect(events).toEqual([{ description: 'A KYC result came with a signature that is not the provider’s' }])
  })
})

test('without its settings every message of this provider is refused (product 13.2)', async () => {
  const other = await startServer({ SUMSUB_WEBHOOK_SECRET: 'sumsub-secret-of-the-tests' })
  const body = JSON.stringify(decision('m-1'))
  const headers = { 'content-type': 'application/json', ...signedBy(body) }
  expect((await other.as(null)('POST', url, body, headers)).statusCode).toBe(401)
  expect(await other.sql(`SELECT source, signature FROM messages WHERE direction = 'in'`)).toEqual([
    { source: 'veriff', signature: 'invalid' },
  ])
})

test('of one message sent 20 times at once, one decides and 19 are duplicates (product 11.2)', async () => {
  const id = await makeSubmitted()
  const body = JSON.stringify(decision(id, 9001, { decisionTime: minutesAgo(30) }))
  const replies = await Promise.all(Array.from({ length: 20 }, () => sendText(body)))
  expect(replies.map((reply) => reply.json().outcome).toSorted()).toEqual(['applied', ...Array(19).fill('duplicate')])
  const inCapitals = { ...signedBy(body), 'x-hmac-signature': macOf(body).toUpperCase() }
  expect((await post(body, inCapitals)).json().outcome).toBe('duplicate')
  expect(await server.sql(`SELECT FROM platform_events WHERE entity_id = $1`, [id])).toHaveLength(1)
})

test('an older decision never undoes a later one, nor decides a later attempt (product 11.2)', async () => {
  const id = await makeSubmitted(minutesAgo(600))
  const at = (minutes: number) => ({ decisionTime: minutesAgo(minutes) })
  await send(decision(id, 9121, at(120)))
  const late = await send(decision(id, 9001, at(180)))
  expect(late.json().note).toBe('The provider has said something later of this case; nothing was changed')
  await makeAttempt(server, id, { attempt: 2, at: minutesAgo(60) })
  for (const older of [decision(id, 9001, at(90)), decision(`case-${id}-1`, 9001, at(1))])
    expect((await send(older)).json().note).toBe('Attempt 2 has been submitted since; nothing was changed')
  expect((await send(decision(id, 9102, at(30)))).json().outcome).toBe('applied')
  const decided = await send(decision(`case-${id}-2`, 9001))
  expect(decided.json().note).toMatch(/^The case was decided by KYC provider on .+; nothing was changed$/)
  const standing = await server.sql('SELECT status FROM kyc_verifications WHERE member_id = $1 ORDER BY 1', [id])
  expect(standing).toEqual([{ status: 'pending' }, { status: 'rejected' }])
})

test('an unknown member or case is 404, and so is one who submitted nothing by then (product 8.5)', async () => {
  const { id: idle } = await makeMember(server)
  const early = await makeSubmitted(minutesAgo(10))
  for (const [message, words] of [
    [decision('no-one'), 'userId: there is no member no-one'],
    [decision('case_0123456789abcdef'), 'userId: there is no member case_0123456789abcdef'],
    [decision(idle), 'attemptNumber: this member had submitted nothing by then'],
    [
      decision(early, 9001, { decisionTime: minutesAgo(30) }),
      'attemptNumber: this member had submitted nothing by then',
    ],
  ] as const) {
    const reply = await send(message)
    expect([reply.statusCode, reply.json().message]).toEqual([404, words])
  }
  expect(await readDecision(early)).toMatchObject(untouched)
})

test('a signed body that cannot be read is 400, says why and changes nothing (product 8.5)', async () => {
  const id = await makeSubmitted()
  const deep = `{"verification":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
  const text = JSON.stringify(decision(id))
  for (const [body, words] of [
    [JSON.stringify(decision(id, 9001, { status: 'declined' })), 'verification.status: does not go with code 9001'],
    [JSON.stringify({ ...decision(id), status: 'fail' }), 'status: must be success'],
    [JSON.stringify(decision(id, 9001, { code: 9002 })), 'verification.code: 9002 is not a code'],
    [JSON.stringify(decision(id, 9001, { code: '9001' })), 'verification.code'],
    [JSON.stringify(decision(id, 9001, { decisionTime: 'yesterday' })), 'verification.decisionTime'],
    [JSON.stringify(decision(id, 9001, { decisionTime: '0000-01-01T00:00:00Z' })), 'verification.decisionTime'],
    [JSON.stringify(decision(id, 9001, { id: 'x'.repeat(201) })), 'verification.id'],
    [JSON.stringify(decision(null)), 'verification.vendorData: must be the id of a case or of a member'],
    [JSON.stringify(decision('../x')), 'verification.vendorData'],
    [JSON.stringify({ ...event(id, 7001), action: 'approved' }), 'action: does not go with code 7001'],
    [JSON.stringify({ status: 'success', verification: null }), 'verification: must be an object'],
    ['[]', 'body: must be an object'],
    ['null', 'body: must be an object'],
    [deep, 'verification'],
    [text.replace('"code":', '"code":9102,"code":'), 'The body gives a field twice'],
    [text.slice(0, -1), 'The body is not valid JSON in UTF-8'],
    [Buffer.concat([Buffer.from(text), Buffer.from([0xff])]), 'The body is not valid JSON in UTF-8'],
    ['', 'The body is not valid JSON in UTF-8'],
  ] as const) {
    const reply = await sendText(body)
    expect(reply.statusCode, `${String(body).slice(0, 200)} ${reply.body}`).toBe(400)
    expect(reply.json().message).toContain(words)
  }
  expect((await send(decision(id, 9001, { reason: 'x'.repeat(70_000) }))).statusCode).toBe(413)
  expect(await readDecision(id)).toMatchObject(untouched)
})

test('of a person, a document or a device nothing is kept (product 11.2)', async () => {
  const id = await makeSubmitted()
  await send(decision(id, 9103, { reason: 'Glare on the photo' }))
  await send({ ...decision(id), verification: { ...decision(id).verification, code: 9002 } })
  await send({ ...fullAuto, vendorData: id })
  const kept = JSON.stringify(await server.sql('SELECT * FROM messages')).concat(
    JSON.stringify(await server.sql('SELECT * FROM kyc_verifications')),
  )
  for (const personal of ['Morgan', 'Sarah', '1967-03-30', 'MORGA753116SM9IJ', '186.153'])
    expect(kept, personal).not.toContain(personal)
})
