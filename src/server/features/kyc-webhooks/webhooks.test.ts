import { describe, expect, test } from 'vitest'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { buildApp } from '#server/app.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { password } from '#test/support/server.ts'
import { startCaseSender } from '#test/support/case-sender.ts'

const { provider, server, ada, submit, retry, member, readMessage, readLogs, audits, makeSubmitted } =
  await startCaseSender()

describe('POST /api/kyc/submit-for-verification', () => {
  test('the case goes to the provider, signed, and the reply says that it arrived (product 11.1)', async () => {
    const begun = Date.now()
    const made = await makeSubmitted({ at: '2026-03-01T10:00:00Z' })
    const reply = await submit(` ${made.id} `)
    expect(reply.statusCode, reply.body).toBe(200)
    const [log] = (await readLogs(made.id)).logs
    expect(reply.json()).toEqual({ webhookLogId: log?.id, success: true })
    expect(log).toEqual({
      id: expect.stringMatching(/^\d+$/),
      userId: made.id,
      attemptNumber: 1,
      tryNumber: 1,
      success: true,
      errorMessage: null,
      httpStatus: 202,
      latencyMs: expect.any(Number),
      responseExcerpt: '{"status":"accepted"}',
      startedBy: 'ada',
      canRetry: false,
      nextTryAt: null,
      createdAt: expect.stringMatching(/Z$/),
    })
    expect(provider.calls).toHaveLength(1)
    const [call] = provider.calls
    expect(call).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' } })
    expect(provider.isSigned(call!)).toBe(true)
    const sentAt = Number(call!.headers['webhook-timestamp']) * 1000
    expect(sentAt).toBeGreaterThan(begun - 1000)
    expect(sentAt).toBeLessThanOrEqual(Date.now())
    expect(JSON.parse(call!.body)).toEqual({
      type: 'kyc.submitted',
      requestedBy: 'operator',
      caseId: `case-${made.id}-1`,
      userId: made.id,
      attemptNumber: 1,
      submittedAt: '2026-03-01T10:00:00.000Z',
      email: made.email,
      legalFirstName: 'Ana',
      legalLastName: 'Lima',
      dateOfBirth: '1991-03-14',
      nationality: 'PT',
      countryOfResidence: 'ES',
      documentType: 'passport',
    })
  })

  test('a submitted member is under review once the provider has taken the case (product 11.1)', async () => {
    const made = await makeSubmitted()
    await submit(made.id)
    expect(await member(made.id)).toMatchObject({ kyc_status: 'under_review', version: made.version + 1 })
    const { message_id: webhookId } = await readMessage(made.id)
    expect(await audits(made.id)).toEqual([
      { action: 'submit_kyc', actor_name: 'ada', details: { attempt: 1, webhookId } },
    ])
  })

  test('a member that was decided meanwhile stays decided', async () => {
    const made = await makeSubmitted()
    await server.sql(`UPDATE members SET kyc_status = 'rejected' WHERE id = $1`, [made.id])
    expect((await submit(made.id)).json()).toMatchObject({ success: true })
    expect(await member(made.id)).toMatchObject({ kyc_status: 'rejected', version: made.version })
  })

  test('of several attempts the latest submitted one is sent (product 11.1)', async () => {
    const made = await makeSubmitted({ attempt: 1 })
    await makeAttempt(server, made.id, { attempt: 2 })
    await makeAttempt(server, made.id, { attempt: 3, isSubmitted: false })
    await submit(made.id)
    expect(JSON.parse(provider.calls[0]!.body)).toMatchObject({ attemptNumber: 2 })
    expect((await readLogs(made.id)).logs).toMatchObject([{ attemptNumber: 2, tryNumber: 1 }])
  })

  test('a failed attempt is 200 with success false and its error (product 11.1)', async () => {
    const made = await makeSubmitted()
    provider.answer = (response) =>
      void response.writeHead(500).end(`boom\u0007\n for ANA lima, ${made.email}, token=abc123, +351 912 345 678`)
    const reply = await submit(made.id)
    const { logs } = await readLogs(made.id)
    expect([reply.statusCode, reply.json()]).toEqual([
      200,
      { webhookLogId: logs[0]?.id, success: false, error: 'HTTP 500' },
    ])
    expect(logs).toMatchObject([
      {
        success: false,
        errorMessage: 'HTTP 500',
        httpStatus: 500,
        responseExcerpt: 'boom for [redacted] [redacted], [redacted], token=[redacted], [redacted]',
        canRetry: true,
      },
    ])
    const wait = Date.parse(logs[0]!.nextTryAt!) - Date.parse(logs[0]!.createdAt)
    expect(wait).toBeGreaterThanOrEqual(27_000)
    expect(wait).toBeLessThanOrEqual(33_000)
    expect(await member(made.id)).toMatchObject({ kyc_status: 'submitted', version: made.version })
    expect(await readMessage(made.id)).toMatchObject({ state: 'waiting', tries: 1 })
  })

  test('of ten submissions at once one attempt is made, the others are conflicts (product 11.1)', async () => {
    const made = await makeSubmitted()
    const replies = await Promise.all(Array.from({ length: 10 }, () => submit(made.id)))
    const codes = replies.map((reply) => reply.statusCode)
    // One that comes after the first has ended is a new sending; none runs beside another.
    expect(codes.filter((code) => code === 200).length).toBe(provider.calls.length)
    expect(new Set(codes)).toEqual(new Set([200, 409]))
    expect((await readLogs(made.id)).total).toBe(provider.calls.length)
  })

  test('while an attempt is under way another one, of either kind, is 409 (product 11.1)', async () => {
    const made = await makeSubmitted()
    const { promise, resolve } = Promise.withResolvers<void>()
    provider.answer = (response) => void promise.then(() => provider.accept(response))
    const first = submit(made.id)
    await expect.poll(() => provider.calls.length).toBe(1)
    for (const reply of await Promise.all([submit(made.id), submit(made.id)]))
      expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('under way')])
    resolve()
    expect((await first).json()).toMatchObject({ success: true })
    expect(provider.calls).toHaveLength(1)
    expect(await audits(made.id)).toHaveLength(1)
  })

  test('a delivered case that is submitted again is a new sending with an id of its own', async () => {
    const made = await makeSubmitted()
    await submit(made.id)
    await submit(made.id)
    const ids = provider.calls.map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids).size).toBe(2)
    expect((await readLogs(made.id)).logs.map(({ tryNumber }) => tryNumber)).toEqual([2, 1])
  })

  test('without a user id it is 400 that asks for one (product 9.5)', async () => {
    for (const body of [undefined, {}, { userId: '' }, { userId: ' \t' }, { userId: null }])
      for (const url of ['/api/kyc/submit-for-verification', '/api/kyc/webhook-retry']) {
        const reply = await ada('POST', url, body)
        expect([reply.statusCode, reply.json().message]).toEqual([400, 'Please enter a valid User ID'])
      }
  })

  test('an unknown or odd user id is 404, a member never submitted 409, a wrong type 400 (product 11.1)', async () => {
    const never = await makeMember(server)
    await makeAttempt(server, never.id, { isSubmitted: false })
    for (const call of [submit, retry]) {
      for (const id of ['m-unknown', "m'--", 'a\0b', '..', 'ü', '𝒜'])
        expect((await call(id)).json(), id).toMatchObject({ code: 'not_found', message: 'User not found' })
      expect((await call(never.id)).statusCode).toBe(409)
      for (const wrong of [7, ['m-1'], { id: 1 }, 'x'.repeat(65)]) expect((await call(wrong)).statusCode).toBe(400)
    }
    expect((await submit(never.id)).json().message).toContain('never submitted')
    expect(provider.calls).toEqual([])
    expect(await audits(never.id)).toEqual([])
  })

  test('without a provider it is 503 and names the setting, and nothing is written (product 11.1)', async () => {
    const made = await makeSubmitted()
    const { kycProvider: usual, config } = server.services
    server.services.kycProvider = createKycProvider({ ...config, kycWebhookUrl: undefined })
    const reply = await submit(made.id)
    server.services.kycProvider = usual
    expect([reply.statusCode, reply.json()]).toEqual([
      503,
      expect.objectContaining({ code: 'kyc_provider_disabled', message: expect.stringContaining('KYC_WEBHOOK_URL') }),
    ])
    expect(await audits(made.id)).toEqual([])
    expect(await readMessage(made.id)).toBeUndefined()
  })

  test('submitting is 503 with Retry-After while the sandbox starts (product 13.4)', async () => {
    const made = await makeSubmitted()
    const { kycProvider: usual, config } = server.services
    server.services.kycProvider = createKycProvider(
      { ...config, kycWebhookUrl: undefined },
      { findSandbox: async () => undefined },
    )
    const reply = await submit(made.id)
    server.services.kycProvider = usual
    expect([reply.statusCode, reply.headers['retry-after'], reply.json().message]).toEqual([
      503,
      '2',
      'The sandbox KYC provider is starting; try again in a moment',
    ])
    expect(await audits(made.id)).toEqual([])
    expect(await readMessage(made.id)).toBeUndefined()
  })

  test('a private address is never called without WEBHOOK_ALLOW_PRIVATE (product 13.2)', async () => {
    const made = await makeSubmitted()
    const { kycProvider: usual, config } = server.services
    server.services.kycProvider = createKycProvider({ ...config, webhookAllowPrivate: false })
    const reply = await submit(made.id)
    server.services.kycProvider = usual
    expect(reply.json()).toMatchObject({ success: false, error: expect.stringContaining('Address refused: 127.0.0.1') })
    expect(provider.calls).toEqual([])
    expect(JSON.stringify([reply.json(), await readLogs(made.id), await audits(made.id)])).not.toMatch(
      /top-secret|whsec/,
    )
  })

  test('an attempt that cannot be recorded is not one: nobody is told that it succeeded', async () => {
    const made = await makeSubmitted()
    await server.sql('ALTER TABLE message_attempts ADD CONSTRAINT refuse_all CHECK (false) NOT VALID')
    const reply = await submit(made.id)
    await server.sql('ALTER TABLE message_attempts DROP CONSTRAINT refuse_all')
    expect(reply.statusCode).toBe(500)
    expect(await member(made.id)).toMatchObject({ kyc_status: 'submitted' })
    expect(await readMessage(made.id)).toMatchObject({ state: 'sending' })
  })
})

test('a submission waiting when the console stops is left to the queue (product 8.5)', async () => {
  const made = await makeSubmitted()
  await ada('GET', '/api/auth/user')
  const app = await buildApp(server.services)
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  const login = await app.inject({ method: 'POST', url: '/api/auth/login', payload: { username: 'ada', password } })
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
  const asked = new Promise<void>((resolve) => (provider.answer = () => resolve()))
  const reply = fetch(`${address}/api/kyc/submit-for-verification`, {
    method: 'POST',
    headers: { cookie, 'content-type': 'application/json' },
    body: JSON.stringify({ userId: made.id }),
  })
  await asked
  const [{ status, headers }] = await Promise.all([reply, app.close()])
  expect([status, headers.get('retry-after')]).toEqual([503, '5'])
  expect(await readMessage(made.id)).toMatchObject({ state: 'waiting', tries: 0 })
})
