import { afterEach, expect, test, vi } from 'vitest'
import { findSessionDays } from './session-days.ts'

afterEach(() => vi.unstubAllEnvs())
const session = {
  id: '1',
  device: 'Firefox 145 on Linux',
  deviceKind: 'computer' as const,
  userAgent: 'Firefox',
  ipAddress: '203.0.113.7',
  createdAt: '2026-11-22T23:30:00.000Z',
  lastActiveAt: '2026-11-23T09:00:00.000Z',
  isCurrent: false,
}

test.each([
  ['UTC', '2026-11-22'],
  ['Europe/Vienna', '2026-11-23'],
])('the days of a session are those of the browser’s zone, %s', (zone, from) => {
  vi.stubEnv('TZ', zone)
  expect(findSessionDays(session)).toEqual({ from, to: '2026-11-23' })
  expect(findSessionDays({ ...session, isCurrent: true })).toEqual({ from })
})
