import { expect, test } from 'vitest'
import { periodIn, todayIn } from './calendar.ts'

const hours = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 3_600_000

test('one instant is another day in Auckland than in Los Angeles', () => {
  const now = new Date('2026-06-10T11:59:59Z')
  expect(todayIn('Pacific/Auckland', now)).toMatchObject({ today: '2026-06-10', start: '2026-06-09T12:00:00.000Z' })
  expect(todayIn('America/Los_Angeles', now)).toMatchObject({ today: '2026-06-10', start: '2026-06-10T07:00:00.000Z' })
  const later = new Date('2026-06-10T12:00:00Z')
  expect(todayIn('Pacific/Auckland', later)).toMatchObject({ today: '2026-06-11', start: '2026-06-10T12:00:00.000Z' })
  expect(todayIn('America/Los_Angeles', later)).toMatchObject({ today: '2026-06-10' })
})

test('the days on which clocks change have 23 and 25 hours', () => {
  const spring = todayIn('America/Los_Angeles', new Date('2026-03-08T20:00:00Z'))
  expect(hours(spring.start, spring.end)).toBe(23)
  const autumn = todayIn('America/Los_Angeles', new Date('2026-11-01T20:00:00Z'))
  expect(hours(autumn.start, autumn.end)).toBe(25)
})

test('a day without a midnight starts at its first instant', () => {
  const { start, end } = todayIn('Africa/Cairo', new Date('2026-04-24T09:00:00Z'))
  expect([start, hours(start, end)]).toEqual(['2026-04-23T22:00:00.000Z', 23])
})

test('a day with two midnights starts at the first', () => {
  const { start, end } = todayIn('America/Havana', new Date('2026-11-01T15:00:00Z'))
  expect([start, hours(start, end)]).toEqual(['2026-11-01T04:00:00.000Z', 25])
})

test('yesterday at this time keeps the wall-clock time over a clock change', () => {
  const { yesterdayByNow } = todayIn('America/Los_Angeles', new Date('2026-03-08T20:30:00Z'))
  expect(yesterdayByNow).toBe('2026-03-07T21:30:00.000Z')
})

test('weeks start on Monday, and the last one is still running (product 5.1)', () => {
  const sunday = periodIn('UTC', '3m', new Date('2026-11-22T23:59:59Z'))
  expect(sunday.days.at(-1)).toBe('2026-11-16')
  const monday = periodIn('UTC', '3m', new Date('2026-11-23T00:00:00Z'))
  expect(monday.days.at(-1)).toBe('2026-11-23')
  expect(monday.days).toHaveLength(13)
  expect(monday.bounds.at(-1)).toBe('2026-11-30T00:00:00.000Z')
})

test('a week in which the clocks change has one hour less', () => {
  const { days, bounds } = periodIn('Europe/Lisbon', '3m', new Date('2026-04-15T12:00:00Z'))
  const index = days.indexOf('2026-03-23')
  expect(hours(bounds[index]!, bounds[index + 1]!)).toBe(7 * 24 - 1)
})
