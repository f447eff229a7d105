import { expect, test } from 'vitest'
import { formatTimeUntil } from './time-until.ts'

test('the next try is shown in words, rounded up (product 10.4)', () => {
  const at = '2026-05-01T09:00:00.000Z'
  const words = (seconds: number) => formatTimeUntil(at, Date.parse(at) - seconds * 1000)
  expect([-5, 0, 0.2, 59, 60, 299, 3599, 3600, 18_001, 86_400].map(words)).toEqual([
    'now',
    'now',
    'in 1 s',
    'in 59 s',
    'in 1 min',
    'in 5 min',
    'in 60 min',
    'in 1 h',
    'in 6 h',
    'in 24 h',
  ])
})
