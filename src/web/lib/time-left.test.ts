import { expect, test } from 'vitest'
import { formatTimeLeft } from './time-left.ts'

const now = Date.parse('2026-03-01T10:00:00Z')

test('the time left is said in at most two units, rounded down', () => {
  expect(formatTimeLeft('2026-03-04T05:10:00Z', now)).toEqual({ text: 'in 2 d 19 h', isShort: false })
  expect(formatTimeLeft('2026-03-03T10:00:00Z', now)).toEqual({ text: 'in 2 d', isShort: false })
  expect(formatTimeLeft('2026-03-01T16:59:00Z', now)).toEqual({ text: 'in 6 h', isShort: true })
  expect(formatTimeLeft('2026-03-01T10:12:30Z', now)).toEqual({ text: 'in 12 min', isShort: true })
  expect(formatTimeLeft('2026-03-01T10:00:10Z', now)).toEqual({ text: 'in less than a minute', isShort: true })
})

test('less than a day is short, a day is not', () => {
  expect(formatTimeLeft('2026-03-02T09:59:59Z', now)?.isShort).toBe(true)
  expect(formatTimeLeft('2026-03-02T10:00:00Z', now)?.isShort).toBe(false)
})

test('nothing is said once it is over, and months before', () => {
  expect(formatTimeLeft('2026-03-01T10:00:00Z', now)).toBeNull()
  expect(formatTimeLeft('2099-03-01T10:00:00Z', now)).toBeNull()
})
