import { AppError } from './errors.ts'

/** A gate for each key, so that none holds the places of others. */
export function createGates(width: number, queue: number, refusal: string) {
  const gates = new Map<string, { enter: ReturnType<typeof createGate>; inside: number }>()
  return async function enter<T>(key: string, work: () => Promise<T>): Promise<T> {
    const gate = gates.get(key) ?? { enter: createGate(width, queue, refusal), inside: 0 }
    gates.set(key, gate)
    gate.inside++
    try {
      return await gate.enter(work)
    } finally {
      gate.inside--
      if (gate.inside === 0) gates.delete(key)
    }
  }
}

/**
 * Lets `width` pieces of work run at a time and `queue` more wait their turn; the next is refused with `overloaded` and
 * `refusal`. Work inside the gate must not enter it again.
 */
export function createGate(width: number, queue: number, refusal: string) {
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
