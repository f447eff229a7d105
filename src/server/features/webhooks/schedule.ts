const minute = 60
const hour = 60 * minute

/** Seconds before each automatic retry; after the last the queue gives up (PRODUCT 3.18). */
export const pauses = [30, 2 * minute, 10 * minute, hour, 4 * hour] as const
/** A provider that asks for a longer pause is asked again all the same. */
const longestPause = 4 * hour
/** Spread, so that cases that failed together are not tried again together. */
const jitter = 0.1

/**
 * When the queue tries again, in seconds after a try that failed with `retries` made so far; null when it gives up: after the
 * last retry, and at once where the provider says that it is gone for ever.
 */
export function nextPause(
  retries: number,
  { httpStatus, retryAfter = 0 }: { httpStatus: number | null; retryAfter?: number | undefined },
  random: () => number = Math.random,
): number | null {
  const pause = pauses[retries]
  if (pause === undefined || httpStatus === 410) return null
  const spread = pause * (1 + jitter * (2 * random() - 1))
  return Math.max(spread, Math.min(retryAfter, longestPause))
}
