import { AppError } from '#server/errors.ts'

/**
 * Lets `width` pieces of work run at a time and `queue` more wait their turn; the next is refused with `overloaded`.
 * Work inside the gate must not enter it again.
 */
export function createGate(width: number, queue: number) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function enter<T>(work: () => Promise<T>): Promise<T> {
    if (running < width) running++
    else if (waiting.length < queue) await new Promise<void>((proceed) => waiting.push(proceed))
    else throw new AppError('overloaded', 'Too many sign-ins at once; try again in a moment', { retryAfter: 2 })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // The place passes from one to the next, so nobody slips in between.
      if (next) next()
      else running--
    }
  }
}
