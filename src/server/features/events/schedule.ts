import type { TryOutcome } from '#server/adapters/signed-post.ts'
import { hour, minute, retryPause } from '#server/retry-pause.ts'

/** Seconds before each try after the first, as Standard Webhooks has them; after the tenth an event is given up. */
export const standardPauses: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]
/** An endpoint that asks for a longer pause is asked again all the same. */
const longestPause = 24 * hour

/** Seconds until the next try when the `tries`th has failed; null after the last. */
export function nextPause(
  tries: number,
  { retryAfter }: Pick<TryOutcome, 'retryAfter'>,
  pauses = standardPauses,
): number | null {
  const planned = pauses[tries - 1]
  return planned === undefined ? null : retryPause(planned, retryAfter, longestPause)
}
