import { beforeEach, expect, test } from 'vitest'
import { readEndpoints, resendMessages, resumeEndpoint } from '#server/features/messages/service.ts'
import { inTransaction } from '#server/core/context.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'
import { readEvent, buildEvents, startEventDelivery } from '#test/support/event-delivery.ts'

const { endpoint, system, sql, runJob, enqueue, enqueueTwo, makeAllDue, sentIds, answer, securityEvents, timeLimits } =
  await startEventDelivery()
const second = await startFakeProvider()

/** A second endpoint, which takes what it is sent. */
async function addSecond(types: string[] | null = null) {
  const [row] = await sql<{ id: string }>(
    `INSERT INTO platform_endpoints (name, url, secret, types, created_by) VALUES ('Billing', $1, $2, $3, 'tests')
     RETURNING id::text`,
    [second.url, second.secret, types],
  )
  return row!.id
}
const statesOf = (id: string) => sql(`SELECT type, state, tries FROM messages WHERE endpoint_id = $1 ORDER BY id`, [id])
const stateOf = async (id: string) => (await readEndpoints(system)).find((each) => each.id === id)!
const typesAt = (fake: typeof endpoint) => fake.calls.map((call) => readEvent(call).type)

beforeEach(async () => {
  await sql('DELETE FROM platform_endpoints WHERE id > 1')
  second.answer = second.accept
  second.calls.length = 0
})

test('an event goes to each endpoint that wants its type, under one id and one body (product 10.4)', async () => {
  const id = await addSecond(['member.unbanned'])
  await enqueueTwo('m-1')
  await runJob()
  expect(typesAt(endpoint)).toEqual(['member.banned', 'member.unbanned'])
  expect(typesAt(second)).toEqual(['member.unbanned'])
  expect(second.calls[0]!.headers['webhook-id']).toBe(sentIds()[1])
  expect(second.calls[0]!.body).toBe(endpoint.calls[1]!.body)
  expect(second.isSigned(second.calls[0]!)).toBe(true)
  expect(await stateOf(id)).toMatchObject({ state: 'healthy', waiting: 0, lastSuccessAt: expect.any(String) })
})

test('an event that no endpoint wants is kept, and goes nowhere (product 10.4)', async () => {
  await sql('UPDATE platform_endpoints SET is_on = false')
  await enqueueTwo('m-1')
  await sql('UPDATE platform_endpoints SET is_on = true')
  await runJob()
  expect(endpoint.calls).toEqual([])
  expect(await sql('SELECT sequence FROM platform_events ORDER BY id')).toEqual([{ sequence: 1 }, { sequence: 2 }])
})

test('an endpoint that hangs with more events than its posts holds no other up (product 10.4)', async () => {
  const id = await addSecond()
  second.answer = () => {}
  const members = Array.from({ length: 40 }, (_, n) => `m-${n}`)
  await enqueue(...members.flatMap((member) => buildEvents(member, 'member.banned')))
  const running = runJob()
  await expect.poll(() => [endpoint.calls.length, second.calls.length]).toEqual([40, 16])
  // Only the hanging ones are still under way.
  await expect.poll(() => timeLimits.count(15_000)).toBe(16)
  second.answer = second.accept
  timeLimits.end(15_000)
  await running
  expect(await stateOf('1')).toMatchObject({ state: 'healthy', waiting: 0 })
  expect((await stateOf(id)).waiting).toBe(16)
})

test('a failing event holds back its entity at that endpoint alone (product 10.4)', async () => {
  const id = await addSecond()
  second.answer = (response) => void response.writeHead(500).end()
  await enqueueTwo('m-1')
  await runJob()
  expect(await statesOf('1')).toMatchObject([{ state: 'delivered' }, { state: 'delivered' }])
  expect(await statesOf(id)).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  expect(await stateOf(id)).toMatchObject({ state: 'failing', waiting: 2, failingSince: expect.any(String) })
  second.answer = second.accept
  await makeAllDue()
  await runJob()
  expect(typesAt(second)).toEqual(['member.banned', 'member.banned', 'member.unbanned'])
  expect(await stateOf(id)).toMatchObject({ state: 'healthy', failingSince: null })
})

test('410 pauses the endpoint that answered it alone, until it is resumed (product 10.4)', async () => {
  const id = await addSecond()
  second.answer = (response) => void response.writeHead(410).end()
  await enqueue(...buildEvents('m-1', 'member.banned'))
  await runJob()
  await enqueue(...buildEvents('m-1', 'member.unbanned'))
  await runJob()
  expect(endpoint.calls).toHaveLength(2)
  expect(second.calls).toHaveLength(1)
  expect(await stateOf(id)).toMatchObject({ state: 'paused', waiting: 2 })
  expect(await securityEvents()).toMatchObject([
    { event_type: 'event_endpoint_gone', description: expect.stringContaining(`endpoint resume ${id}`) },
  ])
  second.answer = second.accept
  await resumeEndpoint(system, id)
  await runJob()
  expect(typesAt(second)).toEqual(['member.banned', 'member.banned', 'member.unbanned'])
})

test('dead letters are reported for each endpoint apart (product 6.10)', async () => {
  const id = await addSecond()
  answer(500)
  second.answer = (response) => void response.writeHead(500).end()
  await enqueue(...buildEvents('m-1', 'member.banned'), ...buildEvents('m-2', 'member.banned'))
  await sql(`UPDATE messages SET tries = 9, retries = 8`)
  await runJob()
  const reported = await sql<{ description: string; endpoint: string; count: number }>(
    `SELECT description, details->>'endpointId' AS endpoint, (details->>'count')::int AS count FROM security_events ORDER BY 2`,
  )
  expect(reported).toMatchObject([
    { endpoint: '1', count: 2, description: expect.stringContaining('The platform did not take 2 events') },
    { endpoint: id, count: 2, description: expect.stringContaining('The endpoint Billing did not take 2 events') },
  ])
  expect(await stateOf(id)).toMatchObject({ failed: 2, waiting: 0 })
})

test('what is sent again goes to its own endpoint (product 7.8)', async () => {
  const id = await addSecond()
  await enqueue(...buildEvents('m-1', 'member.banned'))
  await runJob()
  const [message] = await sql<{ id: string }>(`SELECT id::text FROM messages WHERE endpoint_id = $1`, [id])
  await inTransaction(system, (tx) => resendMessages(tx, [message!.id]))
  await runJob()
  expect(endpoint.calls).toHaveLength(1)
  expect(second.calls).toHaveLength(2)
})

test('an event written while its endpoint is deleted is not left waiting for it', async () => {
  const id = await addSecond()
  const deleting = await system.database.pool.connect()
  await deleting.query('BEGIN')
  await deleting.query('SELECT FROM platform_endpoints WHERE id = $1 FOR UPDATE', [id])
  const writing = enqueue(...buildEvents('m-1', 'member.banned'))
  await expect
    .poll(
      async () =>
        (
          await sql(`SELECT FROM pg_stat_activity
            WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR KEY SHARE%'`)
        ).length,
    )
    .toBe(1)
  await deleting.query('UPDATE platform_endpoints SET deleted_at = now(), url = NULL, secret = NULL WHERE id = $1', [
    id,
  ])
  await deleting.query('COMMIT')
  deleting.release()
  await writing
  expect(await statesOf(id)).toEqual([])
  expect(await statesOf('1')).toHaveLength(1)
})
