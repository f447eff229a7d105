import { periods, type Period } from '#contract/analytics.ts'

const dayMs = 86_400_000

/** The calendar day `days` after `day`, such as `2026-01-05`. */
const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10)

const mondayOf = (day: string) => addDays(day, -((new Date(day).getUTCDay() + 6) % 7))

/** Formats an instant in the zone: `2026-11-20 04:03:12`. The texts sort like the times. */
function wallClock(timeZone: string) {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' })
  return (instant: number) => format.format(instant)
}

/**
 * The first instant, to the second, at which the zone's clock shows `wanted` or later. Uses bisection, so that days of 23 and
 * 25 hours, and days without a midnight, need no special rule.
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

/**
 * The days of a period, or its weeks from Monday, oldest first: those of the previous period, then its own. The last one is
 * still running. `bounds` are their first instants in the zone and the end of the last.
 */
export function periodIn(timeZone: string, period: Period, now: Date) {
  const clock = wallClock(timeZone)
  const today = clock(now.getTime()).slice(0, 10)
  const { unit, count } = periods[period]
  const [last, step] = unit === 'week' ? [mondayOf(today), 7] : [today, 1]
  const days = Array.from({ length: 2 * count + 1 }, (_, i) => addDays(last, (i - 2 * count + 1) * step))
  return { unit, count, days: days.slice(0, -1), bounds: days.map((day) => firstInstant(clock, day)) }
}
