/** Ranges of days that a list is narrowed to, beside one of its own (product 4.3). */
export const dayRanges = {
  today: 'Today',
  yesterday: 'Yesterday',
  last7: 'Last 7 days',
  last30: 'Last 30 days',
  thisMonth: 'This month',
  lastMonth: 'Last month',
} as const
export type DayRange = keyof typeof dayRanges
export const dayRangeNames = Object.keys(dayRanges) as DayRange[]

const addDays = (day: string, days: number) => new Date(Date.parse(day) + days * 86_400_000).toISOString().slice(0, 10)
const startMonth = (day: string) => `${day.slice(0, 8)}01`

/** The first and the last day of a range, seen from a day such as `2026-01-05`. Ranges of days count that day. */
export function resolveDayRange(range: DayRange, today: string): { from: string; to: string } {
  const yesterday = addDays(today, -1)
  const monthEnd = addDays(startMonth(today), -1)
  const ranges: Record<DayRange, { from: string; to: string }> = {
    today: { from: today, to: today },
    yesterday: { from: yesterday, to: yesterday },
    last7: { from: addDays(today, -6), to: today },
    last30: { from: addDays(today, -29), to: today },
    thisMonth: { from: startMonth(today), to: today },
    lastMonth: { from: startMonth(monthEnd), to: monthEnd },
  }
  return ranges[range]
}
