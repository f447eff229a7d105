import { type Comparison, periods, type Period } from '#contract/analytics.ts'

const dayMs = 86_400_000

/** The calendar day `days` after `day`, such as `2026-01-05`. */
export const addDays = (day: string, days: number) =>
  new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const mondayOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Formats an instant in the zone: `2026-11-20 04:03:12`. The texts sort like the times. */
function wallClock(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (instant: number) => format.format(instant)
}

/**
 * The first instant, to the second, at which the zone's clock shows `wanted` or later. Uses bisection, so that days of
 * 23 and 25 hours, and days without a midnight, need no special rule.
 */
function firstInstant(clock: (instant: number) => string, wanted: string): string {
  const utc = Date.parse(`${wanted.replace(' ', 'T')}${wanted.length === 10 ? 'T00:00:00' : ''}Z`)
  let [before, after] = [utc - dayMs, utc + dayMs]
  while (after - before > 1000) {
    const middle = before + Math.floor((after - before) / 2000) * 1000
    if (clock(middle) >= wanted) after = middle
    else before = middle
  }
  return new Date(after).toISOString()
}

/** The instants that bound "today" in a zone. */
export function todayIn(timeZone: string, now: Date) {
  const clock = wallClock(timeZone)
  const wall = clock(now.getTime())
  const today = wall.slice(0, 10)
  const yesterday = addDays(today, -1)
  return {
    today,
    start: firstInstant(clock, today),
    end: firstInstant(clock, addDays(today, 1)),
    weekStart: firstInstant(clock, addDays(today, -6)),
    yesterdayStart: firstInstant(clock, yesterday),
    yesterdayByNow: firstInstant(clock, yesterday + wall.slice(10)),
  }
}

/** The first instant of a day in a zone, and of the day after it. */
export function dayIn(timeZone: string, day: string): { start: string; end: string } {
  const clock = wallClock(timeZone)
  return { start: firstInstant(clock, day), end: firstInstant(clock, addDays(day, 1)) }
}

/** So that weekdays match. */
const yearOfDays = 364

/**
 * The days of a period, or its weeks from Monday, oldest first; the last one is still running. `bounds` are their first
 * instants in the zone and the end of the last; `previousBounds` are those of the period that it is compared with.
 */
export function periodIn(timeZone: string, period: Period, now: Date, comparison: Comparison = 'previous') {
  const clock = wallClock(timeZone)
  const today = clock(now.getTime()).slice(0, 10)
  const { unit, count } = periods[period]
  const [last, step] = unit === 'week' ? [mondayOf(today), 7] : [today, 1]
  const daysFrom = (first: string) => Array.from({ length: count + 1 }, (_, i) => addDays(first, i * step))
  const toBounds = (days: string[]) => days.map((day) => firstInstant(clock, day))
  const first = addDays(last, (1 - count) * step)
  const days = daysFrom(first)
  const previous = daysFrom(addDays(first, comparison === 'year' ? -yearOfDays : -count * step))
  return { unit, count, step, days: days.slice(0, -1), bounds: toBounds(days), previousBounds: toBounds(previous) }
}

/** The first instants of the last `count` days of a zone, the last one today, and the end of today. */
export function lastDaysIn(timeZone: string, count: number, now: Date): string[] {
  const clock = wallClock(timeZone)
  const today = clock(now.getTime()).slice(0, 10)
  return Array.from({ length: count + 1 }, (_, i) => firstInstant(clock, addDays(today, i + 1 - count)))
}
