import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { type LiveList, liveLists } from '#contract/live.ts'
import { announce } from '#server/core/audit.ts'
import { startServer } from '#test/support/server.ts'
import { endStreams } from './end-streams.ts'
import { Hub } from './hub.ts'

const { services } = await startServer()
const { database } = services
const hub = new Hub(services)

async function openStream(sessionId: string) {
  await hub.prepare(sessionId)
  const sink = new PassThrough()
  hub.open(sink, { sessionId, lists: new Set(liveLists) }, undefined)
  sink.read()
  return sink
}

/** A transaction that announces each list by a notification of its own. */
const change = (...lists: LiveList[]) =>
  database.transaction(async (tx) => {
    for (const list of lists) await announce(tx, list)
  })

/** What was announced before the end of a stream arrives before it. */
async function waitForNotifications() {
  const last = await openStream('2')
  await Promise.all([once(last, 'finish'), database.transaction((tx) => endStreams(tx, ['2']))])
}

test('transactions of 20 ms are one event, and those of the next 250 ms are another', async () => {
  const sink = await openStream('1')
  onTestFinished(() => hub.close())
  const event = (...lists: LiveList[]) => `data: ${JSON.stringify({ type: 'changed', lists })}\n\n`
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await change('logs')
  await waitForNotifications()
  vi.advanceTimersByTime(19)
  expect(String(sink.read())).not.toContain('"changed"')
  await change('users', 'analytics')
  await waitForNotifications()
  vi.advanceTimersByTime(1)
  expect(String(sink.read())).toContain(event('logs', 'users', 'analytics'))
  await change('orders')
  await change('bank', 'logs')
  await waitForNotifications()
  vi.advanceTimersByTime(249)
  expect(sink.read()).toBe(null)
  vi.advanceTimersByTime(1)
  expect(String(sink.read())).toContain(event('orders', 'bank', 'logs'))
})
