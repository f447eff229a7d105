import type { Services } from '#server/context.ts'
import { expireOrders } from './expire-orders.ts'
import { foldCounts } from './fold-counts.ts'
import { retryKyc } from './retry-kyc.ts'
import { sendEvents } from './send-events.ts'
import { sweepSessions } from './sweep-sessions.ts'

interface Job {
  name: string
  everySeconds: number
  /** `stop` asks it to end early. */
  run: (services: Services, stop: AbortSignal) => Promise<void>
}

const jobs: Job[] = [
  { name: 'fold-counts', everySeconds: 5, run: foldCounts },
  { name: 'expire-orders', everySeconds: 5, run: expireOrders },
  { name: 'retry-kyc', everySeconds: 5, run: retryKyc },
  { name: 'send-events', everySeconds: 1, run: sendEvents },
  { name: 'sweep-sessions', everySeconds: 300, run: sweepSessions },
]

/** Runs each job again and again, never beside itself; answers how to stop them, waiting for those under way. */
export function startJobs(services: Services): () => Promise<void> {
  const timers = new Map<Job, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const plan = (job: Job) => {
    if (!stopping.signal.aborted)
      timers.set(
        job,
        setTimeout(() => begin(job), job.everySeconds * 1000),
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
  for (const job of jobs) plan(job)
  return async () => {
    stopping.abort()
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(underWay)
  }
}
