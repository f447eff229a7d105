import type { TryOutcome } from '#server/adapters/signed-post.ts'

const minute = 60
const hour = 60 * minute

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
/** Spread, so that events that failed together are not tried again together. */
const jitter = 0.1

/** Seconds until the next try when the `tries`th has failed; null after the last. */
export function nextPause(
  tries: number,
  { retryAfter = 0 }: Pick<TryOutcome, 'retryAfter'>,
  pauses = standardPauses,
  random: () => number = Math.random,
): number | null {
  const pause = pauses[tries - 1]
  if (pause === undefined) return null
  return Math.max(pause * (1 + jitter * (2 * random() - 1)), Math.min(retryAfter, longestPause))
}
