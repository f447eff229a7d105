import { Agent } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { makeCall } from './call.ts'
import { isConflict, isTemporary } from './check-history.ts'
import type { History, Operation } from './history.ts'
import type { Intentions } from './intentions.ts'

/** A client waits this long after a call that was not acknowledged. */
const retryMs = 60
/** After this time it leaves the change, and makes another one. */
const patienceMs = 5000

interface WriterOptions {
  history: History
  intentions: Intentions
  /** Where consoles answer. Clients are spread over them. */
  origins: readonly string[]
  clients?: number
  timeoutMs?: number
}

export interface Writers {
  /** Lets the calls under way end, and makes no new ones. */
  stop: () => Promise<void>
}

/**
 * Clients that make one change after another. What failed for a while is tried again with the same call. Of every two changes of
 * which it is not known their outcome, one is tried again, and one is left so.
 */
export function startWriters({ history, intentions, origins, clients = 12, timeoutMs }: WriterOptions): Writers {
  const stopping = new AbortController()
  const { signal } = stopping
  let unknown = 0

  /** Whether the change stands, as far as the client can tell. */
  async function perform(operation: Operation, origin: string, agent: Agent): Promise<boolean> {
    for (const end = performance.now() + patienceMs; ;) {
      const answer = await makeCall(origin, operation.call, { agent, ...(timeoutMs !== undefined && { timeoutMs }) })
      history.record(operation, answer)
      if (answer.outcome === 'acknowledged' || isConflict(answer)) return true
      const isLeft = answer.outcome === 'unknown' && ++unknown % 2 === 0
      const canRetry = answer.outcome === 'unknown' || isTemporary(answer)
      if (isLeft || !canRetry || signal.aborted || performance.now() > end) return false
      await pause(retryMs)
    }
  }

  async function run(_: unknown, at: number) {
    const origin = origins[at % origins.length]!
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!signal.aborted)
      for (const operation of intentions.next()) if (signal.aborted || !(await perform(operation, origin, agent))) break
    agent.destroy()
  }

  const all = Promise.all(Array.from({ length: clients }, run))
  return {
    async stop() {
      stopping.abort()
      await all
    },
  }
}
