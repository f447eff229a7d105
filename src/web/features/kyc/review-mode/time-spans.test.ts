import { expect, test } from 'vitest'
import { calculateAge, formatElapsed } from './time-spans.ts'

test('a member is a year older from their birthday on', () => {
  expect(calculateAge('2008-11-21', new Date(2026, 10, 20))).toBe(17)
  expect(calculateAge('2008-11-21', new Date(2026, 10, 21))).toBe(18)
  expect(calculateAge('2008-11-21', new Date(2026, 11, 1))).toBe(18)
})

test('how long a case waits is said in its largest unit', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')
  expect(formatElapsed('2026-11-14T11:00:00Z', now)).toBe('7 days')
  expect(formatElapsed('2026-11-21T11:00:00Z', now)).toBe('1 hour')
  expect(formatElapsed('2026-11-21T11:59:40Z', now)).toBe('0 minutes')
  expect(formatElapsed('2026-11-21T12:00:05Z', now)).toBe('0 minutes')
})
