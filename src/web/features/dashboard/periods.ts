import type { Period } from '#contract/analytics.ts'
import type { Registrations } from '#contract/schemas/analytics.ts'

const format = (options: Intl.DateTimeFormatOptions) => {
  const days = new Intl.DateTimeFormat('en-US', { ...options, timeZone: 'UTC' })
  return (day: string) => days.format(new Date(`${day}T00:00:00Z`))
}
const monthDay = format({ month: 'short', day: 'numeric' })
const weekdayMonthDay = format({ weekday: 'short', month: 'short', day: 'numeric' })
const weekday = format({ weekday: 'short' })

type Unit = Registrations['unit']

/** The full name of a day or week: `Thu, Nov 19`, `Week of Nov 16`. The current one says so. */
export function formatPointName(unit: Unit, start: string, isRunning: boolean): string {
  if (unit === 'week') return `Week of ${monthDay(start)}${isRunning ? ' (so far)' : ''}`
  return `${weekdayMonthDay(start)}${isRunning ? ' (today, so far)' : ''}`
}

/** The label under a bar. `quiet` is hidden first where space is scarce. */
export function formatAxisLabel(period: Period, start: string, isRunning: boolean): { quiet?: string; text: string } {
  if (isRunning) return { text: periodsRunning[period] }
  if (period === '7d') return { quiet: weekday(start), text: String(Number(start.slice(8))) }
  return { text: monthDay(start) }
}
const periodsRunning: Record<Period, string> = { '7d': 'Today', '30d': 'Today', '3m': 'This week' }

/** The last day of a day or week. */
export function endOf(unit: Unit, start: string): string {
  if (unit === 'day') return start
  return new Date(Date.parse(start) + 6 * 86_400_000).toISOString().slice(0, 10)
}
