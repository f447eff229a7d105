const shortDayFormat = new Intl.DateTimeFormat('en-US', { month: 'short', day: '2-digit', timeZone: 'UTC' })
const yearMs = 300 * 24 * 60 * 60 * 1000

/** A calendar day where there is little room: `Mar 14`, or `2025-03` when it is long past. */
export function formatShortDay(day: string): string {
  const at = Date.parse(`${day}T00:00:00Z`)
  return Date.now() - at > yearMs ? day.slice(0, 7) : shortDayFormat.format(at)
}
