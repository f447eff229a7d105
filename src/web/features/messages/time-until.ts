const minute = 60
const hour = 60 * minute

/** `in 40 s`, `in 4 min`, `in 2 h`, rounded up; `now` when it is due. `now` in milliseconds. */
export function formatTimeUntil(instant: string, now: number): string {
  const seconds = Math.ceil((Date.parse(instant) - now) / 1000)
  if (seconds <= 0) return 'now'
  if (seconds < minute) return `in ${seconds} s`
  return seconds < hour ? `in ${Math.ceil(seconds / minute)} min` : `in ${Math.ceil(seconds / hour)} h`
}
