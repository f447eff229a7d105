import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { inTransaction } from '#server/core/context.ts'
import { connectPool, readConnectionOptions } from '#server/db/client.ts'
import { platformEvents, resendMessages, standardPauses } from '#server/features/messages/service.ts'
import { readEvent, buildEvents, neverStop, startEventDelivery } from '#test/support/event-delivery.ts'
import { sendMessages } from '#test/support/jobs.ts'

const sendEvents = sendMessages(platformEvents)
const { endpoint, services, system, sql, runJob, enqueue, enqueueTwo, readMessages, readTries, sentTypes, sentIds } =
  await startEventDelivery()

test('simultaneous servers send each event once and in order per entity', async () => {
  const members = Array.from({ length: 40 }, (_, n) => `m-${n}`)
  for (const type of ['member.banned', 'member.unbanned', 'member.banned'] as const)
    await enqueue(...members.flatMap((id) => buildEvents(id, type)))
  let open = 0
  let most = 0
  endpoint.answer = (response) => {
    most = Math.max(most, ++open)
    response.on('close', () => open--)
    setImmediate(() => endpoint.accept(response))
  }
  const databases = [1, 2, 3].map(() => connectPool(readConnectionOptions(services.database.pool), () => {}))
  await Promise.all(databases.map((database) => sendEvents({ ...services, database }, neverStop)))
  await runJob()
  await Promise.all(databases.map((database) => database.close()))
  expect(endpoint.calls).toHaveLength(120)
  expect(most).toBeLessThanOrEqual(48)
  const sent = Map.groupBy(endpoint.calls, (call) => readEvent(call).data.memberId)
  for (const id of members) {
    const ids = (await readMessages(id)).map((row) => row.message_id)
    expect(sent.get(id)!.map(({ headers }) => headers['webhook-id'])).toEqual(ids)
  }
})

test('an event that is made while another hangs does not wait for it (product 10.4)', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'))
  const hanging: ServerResponse[] = []
  endpoint.answer = (response, call) => {
    hanging.push(response)
    if (readEvent(call).data.memberId === 'm-2') hanging.forEach(endpoint.accept)
  }
  const running = runJob()
  await expect.poll(() => endpoint.calls.length).toBe(1)
  await enqueue(...buildEvents('m-2', 'member.banned'))
  await running
  for (const id of ['m-1', 'm-2']) expect(await readMessages(id)).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test("a killed server's event falls due again under the same id (product 10.4)", async () => {
  await enqueueTwo('m-1')
  const [{ message_id: id } = {}] = await readMessages('m-1')
  const sending = (until: string) =>
    sql(
      `UPDATE messages SET state = 'sending', tries = 1, next_try_at = NULL, lease_until = now() + $1::interval WHERE type = 'member.banned'`,
      [until],
    )
  await sending('9 minutes')
  await runJob()
  expect(endpoint.calls).toEqual([])
  await sending('-1 second')
  await Promise.all([runJob(), runJob()])
  expect(sentTypes()).toEqual(['member.banned', 'member.unbanned'])
  expect(sentIds()[0]).toBe(id)
  expect((await readMessages('m-1'))[0]).toMatchObject({ state: 'delivered', tries: 2, lease_until: null })
})

test('a late try of an event that was taken over is recorded alone', async () => {
  await enqueueTwo('m-1')
  endpoint.answer = (response) =>
    void sql(`UPDATE messages SET lease_until = lease_until + interval '9 minutes' WHERE type = 'member.banned'`).then(
      () => endpoint.accept(response),
    )
  await runJob()
  expect(await readTries('m-1')).toMatchObject([{ success: true }])
  expect(await readMessages('m-1')).toMatchObject([{ state: 'sending' }, { state: 'waiting', tries: 0 }])
})

test('an event under way cannot be resent, one that waits goes at once', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'), ...buildEvents('m-2', 'member.banned'))
  await sql(`UPDATE messages SET state = 'sending', lease_until = now() + interval '9 minutes' WHERE entity_id = 'm-1'`)
  await sql(`UPDATE messages SET tries = 4, next_try_at = now() + interval '5 hours' WHERE entity_id = 'm-2'`)
  const ids = (await sql<{ id: string }>(`SELECT id FROM messages WHERE channel = 'platform'`)).map(({ id }) => id)
  expect(await inTransaction(system, (tx) => resendMessages(tx, ids))).toMatchObject({ platform: 1, kyc: 0 })
  await runJob()
  expect(await readMessages('m-1')).toMatchObject([{ state: 'sending' }])
  expect(await readMessages('m-2')).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('a stop ends running tries at once and does not count them', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'), ...buildEvents('m-2', 'member.banned'))
  endpoint.answer = () => {}
  const stopping = new AbortController()
  const running = sendEvents(services, stopping.signal)
  await expect.poll(() => endpoint.calls.length).toBe(2)
  stopping.abort()
  await running
  for (const id of ['m-1', 'm-2']) {
    expect(await readMessages(id)).toMatchObject([{ state: 'waiting', tries: 0, lease_until: null }])
    expect(await readTries(id)).toEqual([])
  }
  endpoint.answer = endpoint.accept
  await runJob()
  expect(await readMessages('m-1')).toMatchObject([{ state: 'delivered', tries: 1 }])
})

test('the pauses are those of Standard Webhooks', () => {
  const hours = [5 / 3600, 1 / 12, 0.5, 2, 5, 10, 14, 20, 24]
  expect(standardPauses).toEqual(hours.map((each) => Math.round(each * 3600)))
})

test('an event that is sent again waits while a later one of its member is under way (product 10.4)', async () => {
  await enqueueTwo('m-again')
  const [first, second] = await readMessages('m-again')
  await sql(`UPDATE messages SET state = 'delivered', next_try_at = NULL WHERE id = $1`, [first!.id])
  await sql(
    `UPDATE messages SET state = 'sending', tries = 1, next_try_at = NULL, lease_until = now() + interval '9 minutes' WHERE id = $1`,
    [second!.id],
  )
  await inTransaction(system, (tx) => resendMessages(tx, [String(first!.id)]))
  await runJob()
  expect(sentTypes()).toEqual([])
  // Its server has died: it is sent again first, then the one that waits.
  await sql(`UPDATE messages SET lease_until = now() - interval '1 second' WHERE id = $1`, [second!.id])
  await runJob()
  expect(sentTypes()).toEqual(['member.unbanned', 'member.banned'])
})
