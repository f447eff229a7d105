import { setImmediate as nextTurn } from 'node:timers/promises'

/** Seconds. */
export const minute = 60
export const hour = 60 * minute

/** Spreads retries, so that messages that failed together are not sent together again. */
const jitter = 0.1

/**
 * Seconds before the next try: the `planned` pause, spread by a tenth either way, or the other side's `Retry-After` if
 * that is longer, up to `longest`.
 */
export const retryPause = (planned: number, retryAfter: number | undefined, longest: number): number =>
  Math.max(planned * (1 + jitter * (2 * Math.random() - 1)), Math.min(retryAfter ?? 0, longest))

/** How long a loop may keep the other calls of its server waiting, in milliseconds. */
const longestTurn = 20

/** Awaited in each round of a long loop, the answer lets other work of the server have its turn once the loop has taken 20 ms. */
export function createPauses(): () => Promise<void> | undefined {
  let since = performance.now()
  return () => {
    if (performance.now() - since < longestTurn) return undefined
    return nextTurn().then(() => {
      since = performance.now()
    })
  }
}
