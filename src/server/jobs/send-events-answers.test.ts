import { expect, test } from 'vitest'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { eventEndpoint, resumeEndpoint } from '#server/features/messages/service.ts'
import { buildEvents, readEvent, startEventDelivery } from '#test/support/event-delivery.ts'
import { startFakeProvider } from '#test/support/fakes/kyc-provider.ts'

const { timeLimits, endpoint, system, sql, runJob, enqueue, readMessages, readTries, answer, securityEvents } =
  await startEventDelivery()

test('Retry-After prolongs the pause up to 24 hours (product 10.4)', async () => {
  let members = 0
  const pauseAfter = async (status: number, retryAfter: string) => {
    const id = `m-${++members}`
    await enqueue(...buildEvents(id, 'member.unbanned'))
    answer(status, { 'retry-after': retryAfter })
    await runJob()
    return Number((await readMessages(id))[0]!.pause)
  }
  expect(Math.round(await pauseAfter(429, '900'))).toBe(900)
  expect(Math.round(await pauseAfter(503, '99999999'))).toBe(86_400)
  expect(await pauseAfter(503, new Date(Date.now() + 7200_000).toUTCString())).toBeGreaterThan(3600)
  for (const odd of ['-5', '1', 'soon', '1e9']) expect(await pauseAfter(503, odd)).toBeLessThanOrEqual(5.5)
})

test('a 410 pauses the endpoint until it is resumed (product 10.4)', async () => {
  await enqueue(...buildEvents('m-1', 'member.banned'))
  answer(410)
  await runJob()
  await enqueue(...buildEvents('m-2', 'member.banned'), ...buildEvents('m-1', 'member.unbanned'))
  await runJob()
  expect(endpoint.calls).toHaveLength(1)
  expect((await readMessages('m-1'))[0]).toMatchObject({ state: 'waiting', tries: 0, lease_until: null })
  expect(await securityEvents()).toMatchObject([{ severity: 'critical', event_type: 'event_endpoint_gone' }])
  expect(await eventEndpoint(system)).toEqual({
    host: new URL(endpoint.url).host,
    pausedAt: expect.stringMatching(/^\d{4}-.*Z$/),
    waiting: 3,
    oldestWaitingAt: (await readMessages('m-1'))[0]!.created_at.toISOString(),
    failed: 0,
  })
  answer(200)
  await resumeEndpoint(system, '1')
  await expect(resumeEndpoint(system, '1')).rejects.toThrow('not paused')
  const [entry] = await sql(`SELECT actor_name, details FROM audit_log WHERE action = 'resume_events'`)
  expect(entry).toEqual({ actor_name: 'tests', details: { pausedAt: expect.any(String) } })
  await runJob()
  expect(endpoint.calls.slice(1).map((call) => [readEvent(call).data.memberId, readEvent(call).type])).toEqual([
    ['m-1', 'member.banned'],
    ['m-2', 'member.banned'],
    ['m-1', 'member.unbanned'],
  ])
  expect(await eventEndpoint(system)).toMatchObject({ pausedAt: null, waiting: 0, oldestWaitingAt: null })
})

test('redirecting, endless, slow and broken answers fail in time (product 10.4)', async () => {
  const target = await startFakeProvider()
  const chunk = Buffer.from('no '.repeat(20_000))
  const answers: [typeof endpoint.answer, string | null][] = [
    [(response) => void response.writeHead(307, { location: target.url }).end(), 'Refused redirect 307'],
    [() => timeLimits.end(15_000), 'Timed out after 15 s'],
    [(response) => void response.writeHead(200).write('x', () => timeLimits.end(15_000)), 'Timed out after 15 s'],
    [(response) => void response.socket?.destroy(), 'The connection was reset'],
  ]
  for (const [at, [odd, message]] of answers.entries()) {
    endpoint.answer = odd
    await enqueue(...buildEvents(`m-${at}`, 'member.banned'))
    await runJob()
    expect(await readTries(`m-${at}`)).toMatchObject([{ success: false, error_message: message }])
    expect(await readMessages(`m-${at}`)).toMatchObject([{ state: 'waiting', tries: 1 }])
  }
  expect(target.calls).toEqual([])
  await target.close()
  let sent = 0
  endpoint.answer = (response) => {
    response.writeHead(500)
    const fill = () => {
      while (!response.destroyed && sent < 1e9) {
        sent += chunk.length
        if (!response.write(chunk)) return void response.once('drain', fill)
      }
    }
    fill()
  }
  await enqueue(...buildEvents('m-9', 'member.banned'))
  await runJob()
  const [tried] = await readTries('m-9')
  expect(tried).toMatchObject({ success: false, error_message: 'HTTP 500' })
  expect(tried!.response_excerpt.length).toBeLessThanOrEqual(500)
  expect(sent).toBeLessThan(1e8)
})

test('what the endpoint answers is kept without what an operator wrote of a person', async () => {
  const data = { memberId: 'm-1', membershipId: null, reason: 'Ana Lima lied' }
  await enqueue(platformEvent('member.banned', { id: 'm-1', version: 2, data }))
  answer(400, {}, 'refused: Ana Lima lied, write to ana@example.com')
  await runJob()
  expect((await readTries('m-1'))[0]!.response_excerpt).toBe('refused: [redacted], write to [redacted]')
})
