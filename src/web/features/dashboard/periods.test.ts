import { expect, test } from 'vitest'
import { formatAxisLabel, formatPointName } from './periods.ts'

test('a day is named by weekday and date, a week by its Monday', () => {
  expect(formatPointName('day', '2026-11-19', false)).toBe('Thu, Nov 19')
  expect(formatPointName('day', '2026-11-20', true)).toBe('Fri, Nov 20 (today, so far)')
  expect(formatPointName('week', '2026-11-16', false)).toBe('Week of Nov 16')
  expect(formatPointName('week', '2026-11-16', true)).toBe('Week of Nov 16 (so far)')
})

test('a bar is labelled as short as its period allows', () => {
  expect(formatAxisLabel('7d', '2026-11-05', false)).toEqual({ quiet: 'Thu', text: '5' })
  expect(formatAxisLabel('30d', '2026-11-05', false)).toEqual({ text: 'Nov 5' })
  expect(formatAxisLabel('7d', '2026-11-20', true)).toEqual({ text: 'Today' })
  expect(formatAxisLabel('3m', '2026-11-16', true)).toEqual({ text: 'This week' })
})
