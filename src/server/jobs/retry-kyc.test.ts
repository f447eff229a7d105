import { afterAll, beforeEach, expect, test } from 'vitest'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { inTransaction } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { kycCases, queueCase } from '#server/features/messages/service.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import { makeAttempt, makeMember } from '#test/support/make.ts'
import { startServer } from '#test/support/server.ts'
import { sendMessages } from '#test/support/jobs.ts'

const provider = await startFakeProvider()
const server = await startServer({
  KYC_WEBHOOK_URL: provider.url,
  KYC_WEBHOOK_SECRET: provider.secret,
  WEBHOOK_ALLOW_PRIVATE: 'on',
})
const { services } = server
const timeoutMs = 800
services.kycProvider = createKycProvider(services.config, { timeoutMs })
const ada = server.as('ada')
await ada('GET', '/api/auth/user')
const retryKyc = sendMessages(kycCases)
const never = new AbortController().signal
const runJob = () => retryKyc(services, never)
const delivery = async (id: string) =>
  (await server.sql(`SELECT * FROM messages WHERE channel = 'kyc' AND direction = 'out' AND entity_id = $1`, [id]))[0]!
const logs = (id: string) =>
  server.sql(
    `SELECT a.try_number, a.success, a.error_message, a.started_by FROM message_attempts a
     JOIN messages m ON m.id = a.message_id WHERE m.entity_id = $1 ORDER BY a.id`,
    [id],
  )
const makeDue = (id: string) =>
  server.sql(
    `UPDATE messages SET next_try_at = now() - interval '1 second' WHERE entity_id = $1 AND state = 'waiting'`,
    [id],
  )
const fail = () => (provider.answer = (response) => void response.writeHead(500).end())

/** As the queue of another server does once the lease is over. */
const takenOver = `UPDATE messages SET tries = tries + 1, lease_until = now() + interval '30 seconds'`

async function queued() {
  const made = await makeMember(server, { kycStatus: 'submitted', kycSubmissionCount: 1 })
  await makeAttempt(server, made.id)
  await inTransaction(server.system, (tx) => queueCase(tx, made.id, 1))
  return made
}

afterAll(() => provider.close())
beforeEach(async () => {
  await server.sql('DELETE FROM messages')
  provider.answer = provider.accept
  provider.calls.length = 0
})

test('the queue sends a submission once and puts the member under review (product 11.1)', async () => {
  const made = await queued()
  await inTransaction(server.system, (tx) => queueCase(tx, made.id, 1))
  await runJob()
  await runJob()
  expect(provider.calls).toHaveLength(1)
  expect(await logs(made.id)).toEqual([{ try_number: 1, success: true, error_message: null, started_by: 'queue' }])
  const [row] = await server.sql('SELECT kyc_status, version FROM members WHERE id = $1', [made.id])
  expect(row).toEqual({ kyc_status: 'under_review', version: made.version + 1 })
})

test('it is retried five times with growing pauses under one id, then given up (product 11.1)', async () => {
  const made = await queued()
  fail()
  const pauses: number[] = []
  for (let turn = 1; turn <= 8; turn++) {
    await runJob()
    const { next_try_at: next, last_failed_at: failed } = await delivery(made.id)
    if (next) pauses.push((next.getTime() - failed.getTime()) / 1000)
    await runJob() // not due yet, so this does nothing
    await makeDue(made.id)
  }
  for (const [at, pause] of [30, 120, 600, 3600, 14_400].entries()) {
    expect(pauses[at]! / pause).toBeGreaterThanOrEqual(0.9)
    expect(pauses[at]! / pause).toBeLessThanOrEqual(1.1)
  }
  expect(pauses).toHaveLength(5)
  expect((await logs(made.id)).map(({ try_number: n }) => n)).toEqual([1, 2, 3, 4, 5, 6])
  expect(await delivery(made.id)).toMatchObject({ state: 'failed', lease_until: null })
  expect(new Set(provider.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const call of provider.calls) expect(provider.isSigned(call)).toBe(true)
})

test('retries by hand use up none of the queue’s five, whatever became of them (product 11.1)', async () => {
  const made = await queued()
  fail()
  await runJob()
  const byHand = async () => {
    const reply = await ada('POST', '/api/kyc/webhook-retry', { userId: made.id })
    expect(reply.json()).toMatchObject({ success: false })
  }
  const pause = async () => {
    const { next_try_at: next, last_failed_at: failed } = await delivery(made.id)
    return next && Math.round(Math.log10((next.getTime() - failed.getTime()) / 1000) * 10)
  }
  const first = await pause()
  for (let n = 0; n < 6; n++) await byHand()
  expect(Math.abs((await pause())! - first!)).toBeLessThanOrEqual(1)
  let automatic = 0
  for (let turn = 1; turn <= 8; turn++) {
    await makeDue(made.id)
    const before = provider.calls.length
    await runJob()
    automatic += provider.calls.length - before
    if (turn === 3) await byHand()
  }
  expect(automatic).toBe(5)
  expect(await delivery(made.id)).toMatchObject({ state: 'failed', retries: 5, tries: 13 })
})

test('a provider’s Retry-After is kept, within bounds, and 410 ends the tries at once', async () => {
  const waitAfter = async (status: number, retryAfter: string) => {
    const made = await queued()
    provider.answer = (response) => void response.writeHead(status, { 'retry-after': retryAfter }).end()
    await runJob()
    const { state, next_try_at: next, last_failed_at: failed } = await delivery(made.id)
    return next ? Math.round((next.getTime() - failed.getTime()) / 1000) : state
  }
  expect(await waitAfter(429, '900')).toBe(900)
  expect(await waitAfter(503, '99999999')).toBe(14_400)
  expect(await waitAfter(503, new Date(Date.now() + 600_000).toUTCString())).toBeGreaterThan(590)
  for (const odd of ['-5', '1', 'soon', '1e9']) expect(await waitAfter(503, odd)).toBeLessThanOrEqual(33)
  expect(await waitAfter(410, '900')).toBe('failed')
})

test('any number of servers run the queue at once, and each case is tried once (product 11.1)', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, queued))
  const databases = [1, 2, 3].map(() => connectPool(readConnectionOptions(services.database.pool), () => {}))
  await Promise.all(databases.map((database) => retryKyc({ ...services, database }, never)))
  await Promise.all(databases.map((database) => database.close()))
  expect(provider.calls).toHaveLength(12)
  for (const { id } of made) expect(await logs(id)).toMatchObject([{ try_number: 1, success: true }])
})

test('one server tries four cases at once, and one that hangs holds up no other', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, queued))
  const hanging = made[0]!.id
  let open = 0
  let most = 0
  provider.answer = (response, { body }) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    if (!body.includes(`"${hanging}"`)) setImmediate(() => provider.accept(response))
  }
  await runJob()
  expect(most).toBeLessThanOrEqual(4)
  expect(await logs(hanging)).toMatchObject([
    { success: false, error_message: `Timed out after ${timeoutMs / 1000} s` },
  ])
  for (const { id } of made.slice(1)) expect(await logs(id)).toMatchObject([{ success: true }])
})

test("a manual retry during the queue's own try is 409", async () => {
  const made = await queued()
  fail()
  await runJob()
  await makeDue(made.id)
  provider.calls.length = 0
  const { promise, resolve } = Promise.withResolvers<void>()
  provider.answer = (response) => void promise.then(() => response.writeHead(500).end())
  const running = runJob()
  await expect.poll(() => provider.calls.length).toBe(1)
  for (const url of ['/api/kyc/webhook-retry', '/api/kyc/submit-for-verification'])
    expect((await ada('POST', url, { userId: made.id })).statusCode).toBe(409)
  const [shown] = (await ada('GET', `/api/kyc/webhook-logs?userId=${made.id}`)).json().logs
  expect(shown).toMatchObject({ canRetry: false, nextTryAt: null })
  resolve()
  await running
  const byHand = ada('POST', '/api/kyc/webhook-retry', { userId: made.id })
  await expect.poll(() => provider.calls.length).toBe(2)
  await runJob()
  expect((await byHand).json()).toMatchObject({ success: false })
  expect(provider.calls).toHaveLength(2)
  expect(await logs(made.id)).toMatchObject([{ started_by: 'queue' }, { started_by: 'queue' }, { started_by: 'ada' }])
})

test("a dead server's case falls due again under the same id", async () => {
  const made = await queued()
  const { message_id: id } = await delivery(made.id)
  await server.sql(`UPDATE messages SET state = 'sending', tries = 1, lease_until = now() + interval '9 seconds'`)
  await runJob()
  expect(provider.calls).toEqual([])
  await server.sql(`UPDATE messages SET lease_until = now() - interval '1 second'`)
  await Promise.all([runJob(), runJob()])
  expect(provider.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id])
  expect(await delivery(made.id)).toMatchObject({ state: 'delivered', tries: 2, lease_until: null })
})

test('a late try of a case that was taken over is recorded alone', async () => {
  const made = await queued()
  provider.answer = (response) => void server.sql(takenOver).then(() => response.writeHead(500).end())
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: false, error_message: 'HTTP 500' }])
  expect(await delivery(made.id)).toMatchObject({ state: 'sending', tries: 2 })
})

test('what arrives late has arrived, even where another try has the case by then (product 11.1)', async () => {
  const made = await queued()
  provider.answer = (response) => void server.sql(takenOver).then(() => provider.accept(response))
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: true }])
  expect(await delivery(made.id)).toMatchObject({ state: 'delivered', lease_until: null, next_try_at: null })
  const [row] = await server.sql('SELECT kyc_status FROM members WHERE id = $1', [made.id])
  expect(row).toEqual({ kyc_status: 'under_review' })
  provider.calls.length = 0
  await runJob()
  expect(provider.calls).toEqual([])
})

test('a failed try beside a late success leaves the case delivered (product 11.1)', async () => {
  const made = await queued()
  fail()
  provider.answer = (response) =>
    void server
      .sql(`UPDATE messages SET state = 'delivered', lease_until = NULL WHERE entity_id = $1`, [made.id])
      .then(() => response.writeHead(500).end())
  await runJob()
  expect(await delivery(made.id)).toMatchObject({ state: 'delivered' })
  const [shown] = (await ada('GET', `/api/kyc/webhook-logs?userId=${made.id}`)).json().logs
  expect(shown).toMatchObject({ success: false, canRetry: false, nextTryAt: null })
  const reply = await ada('POST', '/api/kyc/webhook-retry', { userId: made.id })
  expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('reached the provider')])
})

test('a late success of an older sending does not settle the new one', async () => {
  const made = await queued()
  provider.answer = (response) =>
    void server.sql(`${takenOver}, message_id = gen_random_uuid()`).then(() => provider.accept(response))
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: true }])
  expect(await delivery(made.id)).toMatchObject({ state: 'sending', tries: 2 })
})

test('a stop ends running tries at once and does not count them', async () => {
  const made = await Promise.all([queued(), queued()])
  provider.answer = () => {}
  const stopping = new AbortController()
  const running = retryKyc(services, stopping.signal)
  await expect.poll(() => provider.calls.length).toBe(2)
  const asked = performance.now()
  stopping.abort()
  await running
  expect(performance.now() - asked).toBeLessThan(timeoutMs)
  for (const { id } of made) {
    expect(await delivery(id)).toMatchObject({ state: 'waiting', tries: 0, retries: 0, lease_until: null })
    expect(await logs(id)).toEqual([])
  }
  provider.answer = provider.accept
  await runJob()
  for (const { id } of made) expect(await logs(id)).toMatchObject([{ try_number: 1, success: true }])
})

test('a retry of the queue that a stop gave up counts as none either', async () => {
  const made = await queued()
  fail()
  await runJob()
  await makeDue(made.id)
  provider.calls.length = 0
  provider.answer = () => {}
  const stopping = new AbortController()
  const running = retryKyc(services, stopping.signal)
  await expect.poll(() => provider.calls.length).toBe(1)
  expect(await delivery(made.id)).toMatchObject({ state: 'sending', tries: 2, retries: 1 })
  stopping.abort()
  await running
  expect(await delivery(made.id)).toMatchObject({ state: 'waiting', tries: 1, retries: 0 })
})

test('without a provider the queue waits', async () => {
  const made = await queued()
  await retryKyc(
    { ...services, kycProvider: createKycProvider({ ...services.config, kycWebhookUrl: undefined }) },
    never,
  )
  expect(await delivery(made.id)).toMatchObject({ state: 'waiting', tries: 0 })
})

test('a decided or superseded case is no longer sent', async () => {
  const unreached = async () =>
    (await ada('GET', '/api/kyc/webhook-logs?unreached=24h')).json<{ total: number }>().total
  for (const action of ['approve', 'reset']) {
    fail()
    const made = await queued()
    await runJob()
    expect(await unreached()).toBe(1)
    const decided = await ada('POST', `/api/users/${made.id}/kyc/${action}`, {})
    expect(decided.statusCode).toBe(200)
    expect(await delivery(made.id)).toMatchObject({ state: 'failed', next_try_at: null, last_failed_at: null })
    expect(await unreached()).toBe(0)
  }
})

test('a try that fails after its case was decided is the last one', async () => {
  const made = await queued()
  provider.answer = (response) =>
    void ada('POST', `/api/users/${made.id}/kyc/approve`, {}).then(() => response.writeHead(500).end())
  await runJob()
  expect(await logs(made.id)).toHaveLength(1)
  expect(await delivery(made.id)).toMatchObject({ state: 'failed', next_try_at: null, last_failed_at: null })
})
