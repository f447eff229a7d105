import { expect, test } from 'vitest'
import { formatWait } from './format-wait.ts'

const at = (instant: string) => formatWait(instant, Date.parse('2026-11-20T12:00:00Z'))

test('a wait is told in its largest whole unit', () => {
  expect(at('2026-11-14T11:00:00Z')).toBe('6 days')
  expect(at('2026-11-19T12:00:00Z')).toBe('1 day')
  expect(at('2026-11-19T12:00:01Z')).toBe('23 hours')
  expect(at('2026-11-20T11:58:59Z')).toBe('1 minute')
})

test('a wait that has just begun or lies in the future is less than a minute', () => {
  expect(at('2026-11-20T11:59:30Z')).toBe('less than a minute')
  expect(at('2026-11-20T12:00:30Z')).toBe('less than a minute')
})
