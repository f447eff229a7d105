const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const longest = 100 * day

/**
 * The time until an instant in at most two units, rounded down: `in 2 d 19 h`, `in 6 h`, `in 12 min`. Null for the past
 * and for the distant future.
 */
export function formatTimeLeft(instant: string, now: number): { text: string; isShort: boolean } | null {
  const left = Date.parse(instant) - now
  if (!(left > 0 && left < longest)) return null
  const isShort = left < day
  if (left < minute) return { text: 'in less than a minute', isShort }
  if (left < hour) return { text: `in ${Math.floor(left / minute)} min`, isShort }
  const hours = Math.floor(left / hour)
  if (isShort) return { text: `in ${hours} h`, isShort }
  return { text: hours % 24 === 0 ? `in ${hours / 24} d` : `in ${Math.floor(hours / 24)} d ${hours % 24} h`, isShort }
}
