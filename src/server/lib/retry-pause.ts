/** Seconds. */
export const minute = 60
export const hour = 60 * minute

/** Spread, so that what failed together is not tried again together. */
const jitter = 0.1

/**
 * Seconds before a message is tried again: the `planned` pause, spread by a tenth either way, or what the other side asked
 * for in `Retry-After`, up to `longest`, where that is more.
 */
export const retryPause = (planned: number, retryAfter: number | undefined, longest: number): number =>
  Math.max(planned * (1 + jitter * (2 * Math.random() - 1)), Math.min(retryAfter ?? 0, longest))
