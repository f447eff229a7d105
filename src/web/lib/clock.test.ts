import { afterEach, expect, test, vi } from 'vitest'
import { getServerNow } from './clock.ts'
import { recordSessionEnd, sessionEnd } from './session-end.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a browser whose clock is ahead reads the instants of answers by the server’s', () => {
  const here = Date.parse('2026-11-27T12:00:00Z')
  vi.useFakeTimers({ now: here, toFake: ['Date'] })
  const there = Date.parse('2026-11-25T12:00:00Z')
  recordSessionEnd(`idle=1800, absolute=43200, now=${there}`)
  vi.setSystemTime(here + 60_000)
  expect(new Date(getServerNow()).toISOString()).toBe('2026-11-25T12:01:00.000Z')
  // The session's end is watched by the browser's own clock.
  expect(sessionEnd.get()).toEqual({ idle: here + 1_800_000, absolute: here + 43_200_000 })
})
