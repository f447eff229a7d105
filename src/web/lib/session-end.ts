import { createStore } from './store.ts'

/** When the session ends, by this browser's clock. */
export interface SessionEnd {
  /** Unless the operator does something before. */
  idle: number
  /** Whatever the operator does. */
  absolute: number
}

/** As the latest answer said it; null while nobody is signed in. */
export const sessionEnd = createStore<SessionEnd | null>(null)

/** Takes in how many seconds the session has left, as every answer to a signed-in console says it: `idle=1800, absolute=43200`. */
export function recordSessionEnd(said: string | null): void {
  const [, idle, absolute] = /^idle=(\d+), absolute=(\d+)$/.exec(said ?? '') ?? []
  if (!idle || !absolute) return
  const now = Date.now()
  sessionEnd.set({ idle: now + Number(idle) * 1000, absolute: now + Number(absolute) * 1000 })
}
