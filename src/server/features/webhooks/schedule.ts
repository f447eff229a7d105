import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { hour, minute, retryPause } from '#server/retry-pause.ts'

/** Seconds before each automatic retry; after the last the queue gives up (PRODUCT 3.18). */
export const pauses = [30, 2 * minute, 10 * minute, hour, 4 * hour] as const
/** A provider that asks for a longer pause is asked again all the same. */
const longestPause = 4 * hour

/**
 * When the queue tries again, in seconds after a try that failed with `retries` made so far; null when it gives up: after the
 * last retry, and at once where the provider says that it is gone for ever.
 */
export function nextPause(
  retries: number,
  { httpStatus, retryAfter }: Pick<TryOutcome, 'httpStatus' | 'retryAfter'>,
): number | null {
  const planned = pauses[retries]
  if (planned === undefined || httpStatus === 410) return null
  return retryPause(planned, retryAfter, longestPause)
}
