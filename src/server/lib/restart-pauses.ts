const longestPauseMs = 30_000
/** One that ran for so long was well; what ended it has nothing to do with what ended those before. */
const steadyMs = 60_000

/** Milliseconds to wait before what ended after `ranMs` is started again: longer each time, until a run has lasted. */
export function createRestartPauses(): (ranMs: number) => number {
  let inARow = 0
  return (ranMs) => {
    if (ranMs >= steadyMs) inARow = 0
    return Math.min(500 * 2 ** inARow++, longestPauseMs)
  }
}
