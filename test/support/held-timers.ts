import { vi } from 'vitest'

export interface HeldTimers {
  /** How many timers of this delay run. */
  count(ms: number): number
  /** Ends all of this delay that run. */
  end(ms: number): void
}

/** For the rest of the file, timers of exactly these delays end when the test says so, and never by the clock. Once in a file. */
export function holdTimers(...delays: number[]): HeldTimers {
  const [start, clear] = [setTimeout, clearTimeout]
  const held = new Map<unknown, { ms: number; end: () => void }>()
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((end, ms, ...given) => {
    if (!delays.includes(ms ?? 0)) return start(end, ms, ...given)
    const timer = start(() => {}, 0)
    held.set(timer, { ms: ms ?? 0, end: () => end(...given) })
    return timer
  })
  vi.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    held.delete(timer)
    clear(timer)
  })
  const list = (ms: number) => [...held].filter(([, timer]) => timer.ms === ms)
  return {
    count: (ms) => list(ms).length,
    end(ms) {
      for (const [timer, { end }] of list(ms)) {
        held.delete(timer)
        end()
      }
    },
  }
}
