import { expect, test } from 'vitest'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { neverStop, sendCases, startCaseQueue } from '#test/support/case-queue.ts'

const { timeLimits, provider, server, services, ada, makeQueued, runJob, readMessage, logs, makeDue, fail } =
  await startCaseQueue()

/** As the queue of another server does once the lease is over. */
const takenOver = `UPDATE messages SET tries = tries + 1, lease_until = now() + interval '9 minutes'`

test('any number of servers run the queue at once, and each case is tried once (product 11.1)', async () => {
  const made = await Promise.all(Array.from({ length: 12 }, makeQueued))
  const databases = [1, 2, 3].map(() => connectPool(readConnectionOptions(services.database.pool), () => {}))
  await Promise.all(databases.map((database) => sendCases({ ...services, database }, neverStop)))
  await Promise.all(databases.map((database) => database.close()))
  expect(provider.calls).toHaveLength(12)
  for (const { id } of made) expect(await logs(id)).toMatchObject([{ try_number: 1, success: true }])
})

test('one server tries four cases at once, and one that hangs holds up no other', async () => {
  const made = await Promise.all(Array.from({ length: 6 }, makeQueued))
  const hanging = made[0]!.id
  let open = 0
  let most = 0
  provider.answer = (response, { body }) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    if (!body.includes(`"${hanging}"`)) setImmediate(() => provider.accept(response))
  }
  const running = runJob()
  for (const { id } of made.slice(1)) await expect.poll(() => logs(id)).toMatchObject([{ success: true }])
  expect(await logs(hanging)).toEqual([])
  timeLimits.end(10_000)
  await running
  expect(most).toBeLessThanOrEqual(4)
  expect(await logs(hanging)).toMatchObject([{ success: false, error_message: 'Timed out after 10 s' }])
})

test("a manual retry during the queue's own try is 409", async () => {
  const made = await makeQueued()
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
  const made = await makeQueued()
  const { message_id: id } = await readMessage(made.id)
  await server.sql(`UPDATE messages SET state = 'sending', tries = 1, lease_until = now() + interval '9 minutes'`)
  await runJob()
  expect(provider.calls).toEqual([])
  await server.sql(`UPDATE messages SET lease_until = now() - interval '1 second'`)
  await Promise.all([runJob(), runJob()])
  expect(provider.calls.map(({ headers }) => headers['webhook-id'])).toEqual([id])
  expect(await readMessage(made.id)).toMatchObject({ state: 'delivered', tries: 2, lease_until: null })
})

test('a late try of a case that was taken over is recorded alone', async () => {
  const made = await makeQueued()
  provider.answer = (response) => void server.sql(takenOver).then(() => response.writeHead(500).end())
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: false, error_message: 'HTTP 500' }])
  expect(await readMessage(made.id)).toMatchObject({ state: 'sending', tries: 2 })
})

test('what arrives late has arrived, even where another try has the case by then (product 11.1)', async () => {
  const made = await makeQueued()
  provider.answer = (response) => void server.sql(takenOver).then(() => provider.accept(response))
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: true }])
  expect(await readMessage(made.id)).toMatchObject({ state: 'delivered', lease_until: null, next_try_at: null })
  const [row] = await server.sql('SELECT kyc_status FROM members WHERE id = $1', [made.id])
  expect(row).toEqual({ kyc_status: 'under_review' })
  provider.calls.length = 0
  await runJob()
  expect(provider.calls).toEqual([])
})

test('a failed try beside a late success leaves the case delivered (product 11.1)', async () => {
  const made = await makeQueued()
  fail()
  provider.answer = (response) =>
    void server
      .sql(`UPDATE messages SET state = 'delivered', lease_until = NULL WHERE entity_id = $1`, [made.id])
      .then(() => response.writeHead(500).end())
  await runJob()
  expect(await readMessage(made.id)).toMatchObject({ state: 'delivered' })
  const [shown] = (await ada('GET', `/api/kyc/webhook-logs?userId=${made.id}`)).json().logs
  expect(shown).toMatchObject({ success: false, canRetry: false, nextTryAt: null })
  const reply = await ada('POST', '/api/kyc/webhook-retry', { userId: made.id })
  expect([reply.statusCode, reply.json().message]).toEqual([409, expect.stringContaining('reached the provider')])
})

test('a late success of an older sending does not settle the new one', async () => {
  const made = await makeQueued()
  provider.answer = (response) =>
    void server.sql(`${takenOver}, message_id = gen_random_uuid()`).then(() => provider.accept(response))
  await runJob()
  expect(await logs(made.id)).toMatchObject([{ success: true }])
  expect(await readMessage(made.id)).toMatchObject({ state: 'sending', tries: 2 })
})

test('a stop ends running tries at once and does not count them', async () => {
  const made = await Promise.all([makeQueued(), makeQueued()])
  provider.answer = () => {}
  const stopping = new AbortController()
  const running = sendCases(services, stopping.signal)
  await expect.poll(() => provider.calls.length).toBe(2)
  stopping.abort()
  await running
  for (const { id } of made) {
    expect(await readMessage(id)).toMatchObject({ state: 'waiting', tries: 0, retries: 0, lease_until: null })
    expect(await logs(id)).toEqual([])
  }
  provider.answer = provider.accept
  await runJob()
  for (const { id } of made) expect(await logs(id)).toMatchObject([{ try_number: 1, success: true }])
})

test('a retry of the queue that a stop gave up counts as none either', async () => {
  const made = await makeQueued()
  fail()
  await runJob()
  await makeDue(made.id)
  provider.calls.length = 0
  provider.answer = () => {}
  const stopping = new AbortController()
  const running = sendCases(services, stopping.signal)
  await expect.poll(() => provider.calls.length).toBe(1)
  expect(await readMessage(made.id)).toMatchObject({ state: 'sending', tries: 2, retries: 1 })
  stopping.abort()
  await running
  expect(await readMessage(made.id)).toMatchObject({ state: 'waiting', tries: 1, retries: 0 })
})
