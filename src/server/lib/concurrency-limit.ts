import { AppError } from './errors.ts'

/** A limiter for each key, so that no key uses up the places of others. */
export function createLimiters(width: number, queue: number, refusal: string) {
  const limiters = new Map<string, { enter: ReturnType<typeof createLimiter>; inside: number }>()
  return async function enter<T>(key: string, work: () => Promise<T>): Promise<T> {
    const limiter = limiters.get(key) ?? { enter: createLimiter(width, queue, refusal), inside: 0 }
    limiters.set(key, limiter)
    limiter.inside++
    try {
      return await limiter.enter(work)
    } finally {
      limiter.inside--
      if (limiter.inside === 0) limiters.delete(key)
    }
  }
}

/**
 * Runs at most `width` pieces of work at a time. `queue` more wait, the next are refused with `overloaded` and
 * `refusal`. Work must not enter its own limiter again.
 */
export function createLimiter(width: number, queue: number, refusal: string) {
  let running = 0
  const waiting: (() => void)[] = []
  return async function enter<T>(work: () => Promise<T>): Promise<T> {
    if (running < width) running++
    else if (waiting.length < queue) await new Promise<void>((proceed) => waiting.push(proceed))
    else throw new AppError('overloaded', refusal, { retryAfter: 2 })
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      // Passes the place on directly, so that no newcomer takes it.
      if (next) next()
      else running--
    }
  }
}

/**
 * Allows `width` pieces of work per key at a time. Call `enter` when one begins, and the returned function when it
 * ends. Throws overloaded with `refusal`.
 */
export function createSlots(width: number, refusal: string) {
  const running = new Map<string, number>()
  return function enter(key: string): () => void {
    const count = running.get(key) ?? 0
    if (count >= width) throw new AppError('overloaded', refusal, { retryAfter: 2 })
    running.set(key, count + 1)
    return () => {
      const left = running.get(key)! - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
    }
  }
}
