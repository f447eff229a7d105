import type { Services } from '#server/core/context.ts'
import { indexerSettings } from '#server/features/chain/service.ts'
import { channels } from '#server/features/messages/service.ts'
import { checkTokenContracts } from './check-tokens.ts'
import { expireOrders } from './expire-orders.ts'
import { foldCounts } from './fold-counts.ts'
import { indexChain } from './index-chain.ts'
import { markChanges } from './mark-changes.ts'
import { sendMessages } from './send-messages.ts'
import { sweepExpired } from './sweep-expired.ts'

interface Job {
  name: string
  everySeconds: number | ((services: Services) => number)
  /** `stop` asks it to end early. */
  run: (services: Services, stop: AbortSignal) => Promise<void>
}

/** A server that starts does not wait as long as between two turns: some of it may wait for this server alone. */
const firstWithinSeconds = 5

const jobs: Job[] = [
  { name: 'fold-counts', everySeconds: 5, run: foldCounts },
  { name: 'expire-orders', everySeconds: 5, run: expireOrders },
  ...channels.map((channel) => ({
    name: `send-${channel.name}`,
    everySeconds: channel.everySeconds,
    run: sendMessages(channel),
  })),
  { name: 'check-tokens', everySeconds: 2, run: checkTokenContracts },
  { name: 'index-chain', everySeconds: (services) => indexerSettings(services).pollMs / 1000, run: indexChain },
  { name: 'mark-changes', everySeconds: 60, run: markChanges },
  { name: 'sweep-expired', everySeconds: 300, run: sweepExpired },
]

/** Runs each job again and again, never beside itself; answers how to stop them, waiting for those under way. */
export function startJobs(services: Services): () => Promise<void> {
  const timers = new Map<Job, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const plan = (job: Job, mostSeconds = Infinity) => {
    const { everySeconds } = job
    const seconds = typeof everySeconds === 'number' ? everySeconds : everySeconds(services)
    if (!stopping.signal.aborted)
      timers.set(
        job,
        setTimeout(() => begin(job), Math.min(seconds, mostSeconds) * 1000),
      )
  }
  function begin(job: Job) {
    const turn = job
      .run(services, stopping.signal)
      .catch((error: unknown) => services.log.warn({ err: error, job: job.name }, 'a job failed; it runs again'))
      .finally(() => {
        underWay.delete(turn)
        plan(job)
      })
    underWay.add(turn)
  }
  for (const job of jobs) plan(job, firstWithinSeconds)
  return async () => {
    stopping.abort()
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(underWay)
  }
}
