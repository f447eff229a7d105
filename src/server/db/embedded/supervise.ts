import { setTimeout as delay } from 'node:timers/promises'
import { type LaunchOptions, type Postmaster, runPostmaster } from './postmaster.ts'
import { isServing } from './processes.ts'

const pollMs = 200
const longestPauseMs = 30_000
const healthyMs = 60_000

/** Keeps the server running until `options.signal`: starts it again when it dies, with growing pauses when that does not last. */
export function supervise(first: Postmaster, options: LaunchOptions) {
  const { place, say, signal } = options
  const listeners: (() => void)[] = []
  let current = first
  let since = Date.now()
  let failures = 0

  async function keepRunning(): Promise<void> {
    while (!signal.aborted) {
      if (isServing(current.pid, place.cluster)) await pause(pollMs)
      else await recover()
    }
  }

  async function recover(): Promise<void> {
    say('The database stopped unexpectedly; starting it again')
    for (const listener of listeners) listener()
    if (Date.now() - since > healthyMs) failures = 0
    for (; !signal.aborted; failures++) {
      await pause(failures === 0 ? 0 : Math.min(500 * 2 ** failures, longestPauseMs))
      try {
        current = await runPostmaster({ ...options, port: current.port })
        since = Date.now()
        failures++ // until it has been steady for a while
        return say('The database runs again')
      } catch (error) {
        if (!signal.aborted) say(error instanceof Error ? error.message : String(error))
      }
    }
  }

  // Does not keep the process alive, and ends at once when the console stops.
  const pause = (ms: number) => delay(ms, undefined, { signal, ref: false }).catch(() => {})

  return {
    pid: () => current.pid,
    onExit: (callback: () => void) => void listeners.push(callback),
    /** Resolves after the signal, once no start is under way. */
    ended: keepRunning(),
  }
}
