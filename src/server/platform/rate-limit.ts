/** A full bucket holds what two seconds let through, so that calls may come in bursts. */
const burstSeconds = 2
/** One security event a key and minute. */
const reportEveryMs = 60_000

interface Bucket {
  calls: number
  filledAt: number
  reportedAt: number
}

/** What became of one call. */
interface RateDecision {
  isAllowed: boolean
  /** Whether this refusal is the first in a minute. */
  isFirstRefusal: boolean
  /** Seconds until the next call is let through. */
  retryAfter: number
  headers: Record<string, string>
}

export interface RateLimits {
  take(name: string, callsPerSecond: number): RateDecision
}

/** Token buckets by key, in the memory of one server; `now` in milliseconds, never set back. */
export function createRateLimits(now: () => number = () => performance.now()): RateLimits {
  const buckets = new Map<string, Bucket>()
  return {
    take(name, callsPerSecond) {
      const at = now()
      const most = callsPerSecond * burstSeconds
      const bucket = buckets.get(name) ?? { calls: most, filledAt: at, reportedAt: -Infinity }
      buckets.set(name, bucket)
      bucket.calls = Math.min(most, bucket.calls + ((at - bucket.filledAt) / 1000) * callsPerSecond)
      bucket.filledAt = at
      const isAllowed = bucket.calls >= 1
      if (isAllowed) bucket.calls -= 1
      const isNews = !isAllowed && at - bucket.reportedAt >= reportEveryMs
      if (isNews) bucket.reportedAt = at
      return {
        isAllowed,
        isFirstRefusal: isNews,
        retryAfter: isAllowed ? 0 : (1 - bucket.calls) / callsPerSecond,
        headers: buildRateHeaders(bucket.calls, most, callsPerSecond),
      }
    },
  }
}

/** The header fields of the IETF's draft (ratelimit-headers): what the bucket holds, and when it is full again. */
const buildRateHeaders = (calls: number, most: number, callsPerSecond: number) => ({
  'ratelimit-policy': `${most};w=${burstSeconds}`,
  'ratelimit-limit': String(most),
  'ratelimit-remaining': String(Math.floor(calls)),
  'ratelimit-reset': String(Math.ceil((most - calls) / callsPerSecond)),
})
