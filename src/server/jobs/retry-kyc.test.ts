import { expect, test } from 'vitest'
import { createKycProvider } from '#server/adapters/kyc-provider.ts'
import { neverStop, sendCases, startCaseQueue } from '#test/support/case-queue.ts'

const { provider, server, services, ada, makeQueued, queueAgain, runJob, readMessage, logs, makeDue, fail } =
  await startCaseQueue()

test('the queue sends a submission once and puts the member under review (product 11.1)', async () => {
  const made = await makeQueued()
  await queueAgain(made.id)
  await runJob()
  await runJob()
  expect(provider.calls).toHaveLength(1)
  expect(await logs(made.id)).toEqual([{ try_number: 1, success: true, error_message: null, started_by: 'queue' }])
  const [row] = await server.sql('SELECT kyc_status, version FROM members WHERE id = $1', [made.id])
  expect(row).toEqual({ kyc_status: 'under_review', version: made.version + 1 })
})

test('it is retried five times with growing pauses under one id, then given up (product 11.1)', async () => {
  const made = await makeQueued()
  fail()
  const pauses: number[] = []
  for (let turn = 1; turn <= 8; turn++) {
    await runJob()
    const { next_try_at: next, last_failed_at: failed } = await readMessage(made.id)
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
  expect(await readMessage(made.id)).toMatchObject({ state: 'failed', lease_until: null })
  expect(new Set(provider.calls.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
  for (const call of provider.calls) expect(provider.isSigned(call)).toBe(true)
})

test('retries by hand use up none of the queue’s five, whatever became of them (product 11.1)', async () => {
  const made = await makeQueued()
  fail()
  await runJob()
  const byHand = async () => {
    const reply = await ada('POST', '/api/kyc/webhook-retry', { userId: made.id })
    expect(reply.json()).toMatchObject({ success: false })
  }
  const pause = async () => {
    const { next_try_at: next, last_failed_at: failed } = await readMessage(made.id)
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
  expect(await readMessage(made.id)).toMatchObject({ state: 'failed', retries: 5, tries: 13 })
})

test('a provider’s Retry-After is kept, within bounds, and 410 ends the tries at once', async () => {
  const waitAfter = async (status: number, retryAfter: string) => {
    const made = await makeQueued()
    provider.answer = (response) => void response.writeHead(status, { 'retry-after': retryAfter }).end()
    await runJob()
    const { state, next_try_at: next, last_failed_at: failed } = await readMessage(made.id)
    return next ? Math.round((next.getTime() - failed.getTime()) / 1000) : state
  }
  expect(await waitAfter(429, '900')).toBe(900)
  expect(await waitAfter(503, '99999999')).toBe(14_400)
  expect(await waitAfter(503, new Date(Date.now() + 7200_000).toUTCString())).toBeGreaterThan(3600)
  for (const odd of ['-5', '1', 'soon', '1e9']) expect(await waitAfter(503, odd)).toBeLessThanOrEqual(33)
  expect(await waitAfter(410, '900')).toBe('failed')
})

test('without a provider the queue waits', async () => {
  const made = await makeQueued()
  await sendCases(
    { ...services, kycProvider: createKycProvider({ ...services.config, kycWebhookUrl: undefined }) },
    neverStop,
  )
  expect(await readMessage(made.id)).toMatchObject({ state: 'waiting', tries: 0 })
})

test('a decided or superseded case is no longer sent', async () => {
  const unreached = async () =>
    (await ada('GET', '/api/kyc/webhook-logs?unreached=24h')).json<{ total: number }>().total
  for (const action of ['approve', 'reset']) {
    fail()
    const made = await makeQueued()
    await runJob()
    expect(await unreached()).toBe(1)
    const decided = await ada('POST', `/api/users/${made.id}/kyc/${action}`, {})
    expect(decided.statusCode).toBe(200)
    expect(await readMessage(made.id)).toMatchObject({ state: 'failed', next_try_at: null, last_failed_at: null })
    expect(await unreached()).toBe(0)
  }
})

test('a try that fails after its case was decided is the last one', async () => {
  const made = await makeQueued()
  provider.answer = (response) =>
    void ada('POST', `/api/users/${made.id}/kyc/approve`, {}).then(() => response.writeHead(500).end())
  await runJob()
  expect(await logs(made.id)).toHaveLength(1)
  expect(await readMessage(made.id)).toMatchObject({ state: 'failed', next_try_at: null, last_failed_at: null })
})
