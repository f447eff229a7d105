import { expect, test } from 'vitest'
import { formatAgo } from './format-ago.ts'

const now = Date.parse('2026-01-10T12:00:00Z')

test.each([
  ['2026-01-10T11:59:30Z', 'Just now', ''],
  ['2026-01-10T12:00:05Z', 'Just now', ''],
  ['2026-01-10T11:51:10Z', '8 min', 'ago'],
  ['2026-01-10T10:30:00Z', '1 h', 'ago'],
  ['2026-01-08T11:00:00Z', '2 d', 'ago'],
])('%s was %s %s', (instant, amount, rest) => {
  expect(formatAgo(instant, now)).toEqual({ amount, rest })
})
