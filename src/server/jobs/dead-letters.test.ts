import { expect, test } from 'vitest'
import { inTransaction } from '#server/core/context.ts'
import { resendMessages } from '#server/features/messages/service.ts'
import { readEvent, buildEvents, startEventDelivery } from '#test/support/event-delivery.ts'

const {
  endpoint,
  system,
  sql,
  runJob,
  enqueue,
  enqueueTwo,
  readMessages,
  makeAllDue,
  sentTypes,
  sentIds,
  answer,
  securityEvents,
} = await startEventDelivery()

test('ten tries with growing pauses end in a dead letter (product 10.4)', async () => {
  await enqueueTwo('m-1')
  endpoint.answer = (response, call) =>
    void response.writeHead(readEvent(call).type === 'member.banned' ? 500 : 200).end('{"reason":"no such member"}')
  const pauses: number[] = []
  for (let turn = 1; turn <= 11; turn++) {
    await runJob()
    const [{ state, pause } = {}] = await readMessages('m-1')
    if (state === 'waiting') pauses.push(Number(pause))
    // Not due yet, however long the test takes, so this does nothing.
    await sql(`UPDATE messages SET next_try_at = next_try_at + interval '1 hour' WHERE state = 'waiting'`)
    await runJob()
    await makeAllDue()
  }
  expect(pauses).toHaveLength(9)
  for (const [at, pause] of [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400].entries()) {
    expect(pauses[at]! / pause).toBeGreaterThanOrEqual(0.9)
    expect(pauses[at]! / pause).toBeLessThanOrEqual(1.1)
  }
  expect(sentTypes()).toEqual([...Array<string>(10).fill('member.banned'), 'member.unbanned'])
  expect(new Set(sentIds()).size).toBe(2)
  expect(new Set(endpoint.calls.slice(0, 10).map(({ body }) => body)).size).toBe(1)
  expect(await readMessages('m-1')).toMatchObject([
    { state: 'failed', tries: 10, next_try_at: null, lease_until: null, delivered_at: null },
    { state: 'delivered', tries: 1 },
  ])
  expect(await securityEvents()).toEqual([
    {
      severity: 'medium',
      event_type: 'event_dead_letter',
      description:
        'The platform did not take member.banned of member m-1 in 10 tries; the last: HTTP 500: no such member',
    },
  ])
})

test('dead letters are one security event a minute that counts them (product 6.10)', async () => {
  const failAll = async (...members: string[]) => {
    await enqueue(...members.flatMap((id) => buildEvents(id, 'member.banned')))
    await sql(`UPDATE messages SET tries = 9, retries = 8 WHERE state = 'waiting'`)
    await runJob()
  }
  const counts = async () =>
    (await sql<{ count: number }>(`SELECT (details->>'count')::int AS count FROM security_events ORDER BY id`)).map(
      ({ count }) => count,
    )
  answer(500)
  await failAll(...Array.from({ length: 40 }, (_, n) => `m-${n}`))
  expect(await counts()).toEqual([40])
  expect((await securityEvents())[0]!.description).toMatch(
    /^The platform did not take 40 events in 10 tries each; the last of them: member\.banned of member m-\d+: HTTP 500$/,
  )
  await failAll('m-50')
  expect(await counts()).toEqual([41])
  await sql(`UPDATE security_events SET resolved_at = now(), resolved_by = 'ada'`)
  await failAll('m-51')
  await sql(`UPDATE security_events SET created_at = now() - interval '61 seconds'`)
  await failAll('m-52')
  expect(await counts()).toEqual([41, 1, 1])
  const [figures] = await sql(`SELECT sum(rows)::int AS rows FROM list_deltas WHERE list = 'security_events'`)
  expect(figures).toEqual({ rows: 3 })
})

test('a dead letter that is sent again has all its tries again, under the id it had (product 10.4)', async () => {
  await enqueueTwo('m-1')
  await sql(`UPDATE messages SET state = 'failed', tries = 10, next_try_at = NULL WHERE type = 'member.banned'`)
  await sql(`UPDATE messages SET state = 'delivered', tries = 1, next_try_at = NULL WHERE type = 'member.unbanned'`)
  const before = await readMessages('m-1')
  const ids = before.map((row) => row.id as string)
  expect(await inTransaction(system, (tx) => resendMessages(tx, [...ids, '999999']))).toMatchObject({
    platform: 2,
    kyc: 0,
  })
  answer(500)
  await runJob()
  expect(await readMessages('m-1')).toMatchObject([
    { state: 'waiting', tries: 1 },
    { state: 'waiting', tries: 0 },
  ])
  answer(200)
  await makeAllDue()
  await runJob()
  expect(sentTypes()).toEqual(['member.banned', 'member.banned', 'member.unbanned'])
  expect([...new Set(sentIds())]).toEqual(before.map((row) => row.message_id))
})
