import { setServerTime } from './clock.ts'
import { createStore } from './store.ts'

/** When the session ends, by this browser's clock. */
export interface SessionEnd {
  /** When the session ends without activity. */
  idle: number
  /** When the session ends in any case. */
  absolute: number
}

/** From the latest answer. Null while nobody is signed in. */
export const sessionEnd = createStore<SessionEnd | null>(null)

/** Reads the header that each answer has: the remaining seconds, and the server's time, `idle=1800, absolute=43200, now=1764158400000`. */
export function recordSessionEnd(said: string | null): void {
  const [, idle, absolute, serverNow] = /^idle=(\d+), absolute=(\d+), now=(\d+)$/.exec(said ?? '') ?? []
  if (!idle || !absolute) return
  setServerTime(Number(serverNow))
  const now = Date.now()
  sessionEnd.set({ idle: now + Number(idle) * 1000, absolute: now + Number(absolute) * 1000 })
}
