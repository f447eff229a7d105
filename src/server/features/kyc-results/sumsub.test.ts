import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { readSumsubTime } from './providers/sumsub.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { createSubmittedCases } from '#test/support/submitted-cases.ts'

const secret = 'sumsub-secret-of-the-tests'
const server = await startServer({ SUMSUB_WEBHOOK_SECRET: secret })
const nobody = server.as(null)
const { makeSubmitted, readDecision } = createSubmittedCases(server)
const url = '/api/platform/v1/kyc-results'

const hashes = { HMAC_SHA1_HEX: 'sha1', HMAC_SHA256_HEX: 'sha256', HMAC_SHA512_HEX: 'sha512' } as const
type Algorithm = keyof typeof hashes
const digestOf = (body: string, algorithm: Algorithm = 'HMAC_SHA256_HEX') =>
  createHmac(hashes[algorithm], secret).update(body).digest('hex')
const post = (body: string, headers: Record<string, string>) =>
  nobody('POST', url, body, { 'content-type': 'application/json', ...headers })
const send = (message: object, algorithm?: Algorithm) => {
  const body = JSON.stringify(message)
  return post(body, {
    'x-payload-digest': digestOf(body, algorithm),
    ...(algorithm && { 'x-payload-digest-alg': algorithm }),
  })
}

/** A body as Sumsub documents it. */
const reviewed = (externalUserId: string, reviewResult: object, more: object = {}) => ({
  applicantId: `applicant-of-${externalUserId}`,
  inspectionId: '5cb744200a975a67ed1798a5',
  correlationId: 'req-fa94263f-0b23-42d7-9393-ab10b28ef42d',
  externalUserId,
  levelName: 'basic-kyc-level',
  type: 'applicantReviewed',
  reviewStatus: 'completed',
  reviewResult,
  createdAtMs: new Date().toISOString().replace('T', ' ').replace('Z', ''),
  clientId: 'example',
  sandboxMode: false,
  ...more,
})
const green = { reviewAnswer: 'GREEN' }
const red = (type: 'RETRY' | 'FINAL', more: object = {}) => ({
  reviewAnswer: 'RED',
  rejectLabels: ['UNSATISFACTORY_PHOTOS'],
  reviewRejectType: type,
  moderationComment: 'Please take a sharper photo',
  clientComment: 'Fraud ring 7',
  ...more,
})

test.each([undefined, 'HMAC_SHA1_HEX', 'HMAC_SHA256_HEX', 'HMAC_SHA512_HEX'] as const)(
  'a GREEN review with the digest %s approves the member (product 11.2)',
  async (algorithm) => {
    const id = await makeSubmitted()
    const reply = await send(reviewed(id, green), algorithm)
    expect([reply.statusCode, reply.json().outcome], reply.body).toEqual([200, 'applied'])
    expect(await readDecision(id)).toMatchObject({
      kyc_status: 'approved',
      provider_result: 'approved',
      auto_processed: true,
    })
    expect(
      await server.sql(
        `SELECT source, type, signature, state FROM messages WHERE direction = 'in' AND entity_id = $1`,
        [id],
      ),
    ).toEqual([{ source: 'sumsub', type: 'applicantReviewed', signature: 'valid', state: 'applied' }])
  },
)

test('RED rejects with the comment for the member alone (product 11.2)', async () => {
  const [retry, final, bare] = [await makeSubmitted(), await makeSubmitted(), await makeSubmitted()]
  await send(reviewed(retry, red('RETRY')))
  expect(await readDecision(retry)).toMatchObject({
    kyc_status: 'rejected',
    rejection_reason: 'Please take a sharper photo',
    provider_reason: 'Please take a sharper photo',
    admin_notes: 'Labels: UNSATISFACTORY_PHOTOS',
  })
  await send(reviewed(final, red('FINAL')))
  expect(await readDecision(final)).toMatchObject({
    kyc_status: 'rejected',
    rejection_reason: 'Please take a sharper photo',
    provider_reason: 'Please take a sharper photo (final)',
    admin_notes: 'The KYC provider calls this rejection final. Labels: UNSATISFACTORY_PHOTOS',
  })
  await send(reviewed(bare, red('RETRY', { moderationComment: null })))
  expect((await readDecision(bare)).rejection_reason).toBe('The documents were rejected')
  // Labels may name a suspicion: they stay in the house.
  expect(JSON.stringify(await server.sql(`SELECT payload FROM platform_events`))).not.toContain('UNSATISFACTORY')
  const tables = ['members', 'kyc_verifications', 'messages', 'audit_log']
  for (const table of tables)
    expect(JSON.stringify(await server.sql(`SELECT * FROM ${table}`)), table).not.toContain('Fraud ring')
})

test.each(['applicantPending', 'applicantOnHold'])('%s puts the member under review (product 11.2)', async (type) => {
  const id = await makeSubmitted()
  expect((await send(reviewed(id, green, { type }))).json().outcome).toBe('applied')
  expect(await readDecision(id)).toMatchObject({
    kyc_status: 'under_review',
    status: 'pending',
    provider_result: 'under_review',
  })
})

test('messages of other kinds are recorded without effect, no matter who they name (product 11.2)', async () => {
  const id = await makeSubmitted()
  for (const type of ['applicantReset', 'applicantCreated', 'applicantActionReviewed', 'applicantDeleted'])
    for (const userId of [id, 'stranger', 'not an id', undefined])
      expect((await send({ ...reviewed(id, green, { type }), externalUserId: userId })).json()).toEqual({
        outcome: 'recorded',
        note: `${type} says nothing of a review; nothing was changed`,
      })
  expect(await readDecision(id)).toMatchObject({ kyc_status: 'submitted', provider_result: null })
})

test('a message sent again hours later is a duplicate (product 11.2)', async () => {
  const id = await makeSubmitted()
  const message = reviewed(id, green, { createdAtMs: String(Date.now() - 1_800_000) })
  const replies = await Promise.all(Array.from({ length: 20 }, () => send(message)))
  expect(replies.map((reply) => reply.json().outcome).toSorted()).toEqual(['applied', ...Array(19).fill('duplicate')])
  expect(await server.sql(`SELECT FROM platform_events WHERE entity_id = $1`, [id])).toHaveLength(1)
})

test('an older message never undoes a later one (product 11.2)', async () => {
  const hours = (ago: number) => String(Date.now() - ago * 3_600_000)
  const id = await makeSubmitted(new Date(Date.now() - 10 * 3_600_000).toISOString())
  await send(reviewed(id, green, { type: 'applicantOnHold', createdAtMs: hours(2) }))
  const late = await send(reviewed(id, green, { createdAtMs: hours(3) }))
  expect(late.json().note).toBe('The provider has said something later of this case; nothing was changed')
  await makeAttempt(server, id, { attempt: 2, at: new Date(Date.now() - 3_600_000).toISOString() })
  const older = await send(reviewed(id, green, { createdAtMs: hours(1.5) }))
  expect(older.json().note).toBe('Attempt 2 has been submitted since; nothing was changed')
  expect((await send(reviewed(id, green, { createdAtMs: hours(0.5) }))).json().outcome).toBe('applied')
  const standing = await server.sql('SELECT status FROM kyc_verifications WHERE member_id = $1 ORDER BY 1', [id])
  expect(standing).toEqual([{ status: 'approved' }, { status: 'pending' }])
})

test('an unknown algorithm, a wrong digest or a future time is 401 (product 11.2)', async () => {
  const id = await makeSubmitted()
  const body = JSON.stringify(reviewed(id, green))
  const ahead = JSON.stringify(reviewed(id, green, { createdAtMs: String(Date.now() + 301_000) }))
  const refused = [
    [body, { 'x-payload-digest': digestOf(body), 'x-payload-digest-alg': 'HMAC_MD5_HEX' }, 'invalid'],
    [body, { 'x-payload-digest': digestOf(body), 'x-payload-digest-alg': 'toString' }, 'invalid'],
    [body, { 'x-payload-digest': digestOf(body), 'x-payload-digest-alg': 'HMAC_SHA512_HEX' }, 'invalid'],
    [`${body} `, { 'x-payload-digest': digestOf(body) }, 'invalid'],
    [body, { 'x-payload-digest': '' }, 'invalid'],
    [body, {}, 'missing'],
    [ahead, { 'x-payload-digest': digestOf(ahead) }, 'stale'],
  ] as const
  for (const [text, headers, verdict] of refused) {
    const reply = await post(text, headers)
    expect([reply.statusCode, reply.json().code]).toEqual([401, 'unauthorized'])
    const [kept] = await server.sql(
      `SELECT signature, state FROM messages WHERE direction = 'in' ORDER BY id DESC LIMIT 1`,
    )
    expect(kept).toEqual({ signature: verdict, state: 'refused' })
  }
  expect(await readDecision(id)).toMatchObject({ kyc_status: 'submitted', provider_result: null })
})

test('a digest with one more digit is refused (product 11.2)', async () => {
  const id = await makeSubmitted()
  const body = JSON.stringify(reviewed(id, green))
  const [digest, replies] = [digestOf(body), [] as number[]]
  for (const given of [digest, `${digest}a`, `${digest}ab`, digest.slice(0, -1), digest.toUpperCase()])
    replies.push((await post(body, { 'x-payload-digest': given })).statusCode)
  expect(replies).toEqual([200, 401, 401, 401, 200])
  const rows = await server.sql(`SELECT state FROM messages WHERE direction = 'in' AND entity_id = $1 ORDER BY id`, [
    id,
  ])
  expect(rows.map(({ state }) => state)).toEqual(['applied', 'refused', 'refused', 'refused', 'duplicate'])
})

test('what is signed but cannot be read, or names nobody, is 4xx and says why (product 8.5)', async () => {
  const id = await makeSubmitted()
  for (const [message, status, words] of [
    [reviewed('no-one', green), 404, 'no member no-one'],
    [reviewed(id, { reviewAnswer: 'BLUE' }), 400, 'reviewAnswer'],
    [reviewed(id, green, { createdAtMs: 'yesterday' }), 400, 'createdAtMs'],
    [reviewed(id, green, { externalUserId: '../x' }), 400, 'externalUserId'],
    [reviewed(id, green, { type: 'a b' }), 400, 'type'],
    [[], 400, 'object'],
  ] as const) {
    const reply = await send(message)
    expect(reply.statusCode, reply.body).toBe(status)
    expect(reply.json().message).toContain(words)
  }
  const { id: idle } = await makeMember(server)
  expect((await send(reviewed(idle, green))).json().message).toBe(
    'attemptNumber: this member had submitted nothing by then',
  )
})

test('the three forms of a time are read, and nothing else is (product 11.2)', () => {
  const at = '2020-02-21T13:23:19.321Z'
  for (const form of ['2020-02-21 13:23:19.321', '1582291399321', 1_582_291_399_321, at])
    expect(readSumsubTime(form)).toBe(at)
  expect(readSumsubTime('2026-09-26 10:00:00+0000')).toBe('2026-09-26T10:00:00.000Z')
  expect(readSumsubTime('2026-09-26 12:30:00+02:30')).toBe('2026-09-26T10:00:00.000Z')
  for (const form of ['', undefined, 'now', '15822', '2020-13-01 00:00:00', '0000-01-01 00:00:00', -1])
    expect(readSumsubTime(form)).toBeUndefined()
})

test('an answer minutes before its attempt by the provider’s clock still counts for it (product 11.2)', async () => {
  const minutes = (ago: number) => new Date(Date.now() - ago * 60_000)
  const decidedOn = (result: string, providerAt: Date | null) => async (id: string) => {
    await server.sql('UPDATE kyc_submissions SET result = $2 WHERE member_id = $1', [id, result])
    await server.sql('UPDATE kyc_verifications SET status = $2, provider_result_at = $3 WHERE member_id = $1', [
      id,
      result === 'rejected' ? 'rejected' : 'reset',
      providerAt,
    ])
  }
  const answered = async (close: (id: string) => Promise<void>, second: number, said: number) => {
    const id = await makeSubmitted(minutes(60).toISOString())
    await close(id)
    await makeAttempt(server, id, { attempt: 2, at: minutes(second).toISOString() })
    const { outcome, note } = (await send(reviewed(id, green, { createdAtMs: String(minutes(said).getTime()) }))).json()
    const [{ status } = {}] = await server.sql(
      'SELECT status FROM kyc_verifications WHERE member_id = $1 AND attempt_number = 2',
      [id],
    )
    return [outcome, status, note]
  }
  const rejected = decidedOn('rejected', minutes(30))
  expect(await answered(rejected, 6, 10)).toEqual(['applied', 'approved', expect.any(String)])
  expect(await answered(decidedOn('rejected', null), 6, 10)).toEqual(['applied', 'approved', expect.any(String)])
  const since = 'Attempt 2 has been submitted since; nothing was changed'
  // Too early; older than the word by which the first was decided; and the first only taken back, so that it may be meant.
  expect(await answered(rejected, 6, 12)).toEqual(['recorded', 'pending', since])
  expect(await answered(decidedOn('rejected', minutes(9)), 6, 10)).toEqual(['recorded', 'pending', since])
  expect(await answered(decidedOn('pending', null), 6, 10)).toEqual(['recorded', 'pending', since])
})

test('what Sumsub sends from its sandbox is recorded without effect (product 11.2)', async () => {
  const id = await makeSubmitted()
  expect((await send(reviewed(id, green, { sandboxMode: true }))).json()).toEqual({
    outcome: 'recorded',
    note: 'applicantReviewed comes from the provider’s sandbox; nothing was changed',
  })
  expect(await readDecision(id)).toMatchObject({ kyc_status: 'submitted', provider_result: null })
  const [kept] = await server.sql(
    `SELECT state, body_excerpt FROM messages WHERE direction = 'in' AND entity_id = $1`,
    [id],
  )
  expect(kept).toEqual({ state: 'recorded', body_excerpt: expect.stringContaining('"sandboxMode":true') })
})

test('an answer from long before a member submitted anything never decides them (product 11.2)', async () => {
  const minutes = (ago: number) => String(Date.now() - ago * 60_000)
  const id = await makeSubmitted(new Date(Date.now() - 10 * 60_000).toISOString())
  expect((await send(reviewed(id, green, { createdAtMs: '2001-01-01 00:00:00' }))).statusCode).toBe(404)
  expect((await send(reviewed(id, green, { createdAtMs: minutes(16) }))).statusCode).toBe(404)
  expect(await readDecision(id)).toMatchObject({ kyc_status: 'submitted', provider_result: null })
  // The platform's clock may be ahead of the provider's.
  expect((await send(reviewed(id, green, { createdAtMs: minutes(14) }))).json().outcome).toBe('applied')
})
