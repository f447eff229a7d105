import { AppError } from './errors.ts'

/** A gate for each key, so that none holds the places of others. */
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
 * Lets `width` pieces of work run at a time and `queue` more wait their turn; the next is refused with `overloaded` and
 * `refusal`. Work inside the gate must not enter it again.
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
      // The place passes from one to the next, so nobody slips in between.
      if (next) next()
      else running--
    }
  }
}

/**
 * Lets `width` pieces of work of each key run at a time: to be called when one begins, and what it answers when that ends.
 * Throws overloaded with `refusal`.
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
