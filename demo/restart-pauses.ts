const longestPauseMs = 30_000
/** A run of this length was healthy, so that earlier failures no longer count. */
const steadyMs = 60_000

/** Returns the milliseconds to wait before a restart after a run of `ranMs`. Grows until a run was healthy. */
export function createRestartPauses(): (ranMs: number) => number {
  let inARow = 0
  return (ranMs) => {
    if (ranMs >= steadyMs) inARow = 0
    return Math.min(500 * 2 ** inARow++, longestPauseMs)
  }
}
