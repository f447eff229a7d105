import { expect, test } from 'vitest'
import { type DayRange, resolveDayRange } from './day-ranges.ts'

test.each<[DayRange, string, string, string]>([
  ['today', '2026-03-01', '2026-03-01', '2026-03-01'],
  ['yesterday', '2026-03-01', '2026-02-28', '2026-02-28'],
  ['yesterday', '2028-03-01', '2028-02-29', '2028-02-29'],
  ['last7', '2026-01-03', '2025-12-28', '2026-01-03'],
  ['last30', '2026-03-30', '2026-03-01', '2026-03-30'],
  ['thisMonth', '2026-03-31', '2026-03-01', '2026-03-31'],
  ['lastMonth', '2026-03-31', '2026-02-01', '2026-02-28'],
  ['lastMonth', '2026-01-01', '2025-12-01', '2025-12-31'],
])('%s, seen from %s, is %s to %s', (range, today, from, to) => {
  expect(resolveDayRange(range, today)).toEqual({ from, to })
})
