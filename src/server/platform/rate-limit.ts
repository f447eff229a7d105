/** A full bucket allows the calls of two seconds, so that calls may come in bursts. */
const burstSeconds = 2
/** One security event per key and minute. */
const reportEveryMs = 60_000

interface Bucket {
  calls: number
  filledAt: number
  reportedAt: number
}

/** Whether a call is allowed. */
interface RateDecision {
  isAllowed: boolean
  /** Whether it is the first refusal in a minute. */
  isFirstRefusal: boolean
  /** Seconds until the next call is allowed. */
  retryAfter: number
  headers: Record<string, string>
}

export interface RateLimits {
  take(name: string, callsPerSecond: number): RateDecision
}

/** Token buckets per key, in the memory of one server. `now` is in milliseconds and never decreases. */
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

/** The headers of the IETF draft (ratelimit-headers): calls left in the bucket, and when it is full again. */
const buildRateHeaders = (calls: number, most: number, callsPerSecond: number) => ({
  'ratelimit-policy': `${most};w=${burstSeconds}`,
  'ratelimit-limit': String(most),
  'ratelimit-remaining': String(Math.floor(calls)),
  'ratelimit-reset': String(Math.ceil((most - calls) / callsPerSecond)),
})
