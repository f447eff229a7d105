import { setImmediate as nextTurn } from 'node:timers/promises'

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
