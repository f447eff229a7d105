import { afterAll, beforeEach, expect, test } from 'vitest'
import { startAlarmServer } from '#test/support/alarm-outputs.ts'

const alarms = await startAlarmServer()
const { server, collector, raise, write, seal, send, makeDue, readState, received } = alarms
afterAll(() => collector.close())

/** Refuses each post that holds the word. */
function refuse(word: string, status = 400) {
  collector.answer = (response, { body }) =>
    body.includes(word)
      ? void response.writeHead(status).end(`{"reason":"no ${word} here"}`)
      : collector.accept(response)
}
/** What the collector took, each record once. */
function accepted(word: string) {
  const records = collector.calls.filter(({ body }) => !body.includes(word)).flatMap(({ body }) => readAll(body))
  return [...new Map(records.map((record) => [record.id, record])).values()]
}
const readAll = (body: string) => (JSON.parse(body) as { data: { records: ReturnType<typeof received> } }).data.records
const reports = () =>
  server.sql<{ severity: string; description: string; details: { count: number; records: string[] } }>(
    "SELECT severity, description, details FROM security_events WHERE event_type = 'alarm_refused'",
  )

/** Everything before is sent, and the collector takes what comes. */
beforeEach(async () => {
  collector.answer = collector.accept
  await server.sql(`UPDATE alarm_outputs SET failures = 0, next_try_at = now() - interval '1 second'`)
  await seal()
  await send()
  await makeDue()
  await send()
  await server.sql("DELETE FROM security_events WHERE event_type = 'alarm_refused'")
  collector.calls.length = 0
})

test('a record that is refused for its words holds up no other, and comes without them (product 6.10)', async () => {
  refuse('poison')
  for (let n = 0; n < 60; n++) await raise(`event-${n}`, 'high', n === 41 ? 'A poison text' : `Text ${n}`)
  await write(...Array.from({ length: 60 }, (_, n) => (n === 7 ? 'poison-member' : `m-${n}`)))
  await seal()
  await send()
  const taken = accepted('poison').filter(({ action }) => action !== 'alarm_refused')
  expect(taken).toHaveLength(120)
  const [event] = taken.filter(({ action }) => action === 'event-41')
  expect(event).toMatchObject({ kind: 'security_event', severity: 'high', text: null, seq: expect.any(String) })
  expect(taken.filter(({ text, kind }) => kind === 'security_event' && text === null)).toHaveLength(1)
  const [row] = taken.filter(({ kind, target }) => kind === 'audit' && target === null)
  expect(row).toMatchObject({ action: 'ban_user', actor: { kind: 'system', name: 'withheld' }, address: null })
  expect(await readState()).toMatchObject({ failures: 0, failing_since: null, problem: null })
  expect(await reports()).toEqual([
    {
      severity: 'medium',
      description: expect.stringMatching(
        /^The webhook of alarms refused audit-\d+ and 1 more with HTTP 400, and has it/,
      ),
      details: { output: 'webhook', count: 2, records: [event!.id, row!.id] },
    },
  ])
})

test('what is refused is found by few posts', async () => {
  refuse('poison')
  for (let n = 0; n < 100; n++) await raise(`event-${n}`, 'high', n === 0 ? 'poison' : 'x')
  await send()
  expect(collector.calls.length).toBeLessThan(12)
})

test('a receiver that refuses everything gets everything whole once it takes it', async () => {
  collector.answer = (response) => void response.writeHead(422).end()
  await raise('waits', 'high', 'The whole text')
  await send()
  await makeDue()
  await send()
  expect(await readState()).toMatchObject({ failures: 2, problem: 'HTTP 422' })
  expect(await reports()).toEqual([])
  collector.answer = collector.accept
  collector.calls.length = 0
  await makeDue()
  await send()
  expect(received()).toMatchObject([{ action: 'waits', text: 'The whole text' }])
})

test.each([401, 404, 410, 429, 502, 503])('%i is not a refusal of what is said: nothing is split', async (status) => {
  refuse('poison', status)
  await raise('first', 'high', 'poison')
  await raise('second')
  await send()
  expect(collector.calls).toHaveLength(1)
  expect(await readState()).toMatchObject({ failures: 1 })
})

test('a fault that one record causes is a refusal at the eighth try', async () => {
  refuse('poison', 500)
  await raise('first', 'high', 'poison')
  await raise('second')
  for (let n = 1; n <= 7; n++) {
    await send()
    await makeDue()
    expect(await readState()).toMatchObject({ failures: n })
  }
  await send()
  expect(accepted('poison')).toMatchObject([{ action: 'first', text: null }, { action: 'second' }])
})

test('the report of a refusal is refused without an end of reports', async () => {
  refuse('"text":"')
  await raise('first')
  for (let n = 0; n < 4; n++) {
    await send()
    await makeDue()
  }
  expect((await reports()).map(({ details }) => details.count)).toEqual([1])
  expect(accepted('"text":"').map(({ action }) => action)).toEqual(['first', 'alarm_refused'])
})
