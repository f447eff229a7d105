import type { Services } from '#server/context.ts'
import { expireOrders } from './expire-orders.ts'
import { foldCounts } from './fold-counts.ts'
import { sweepSessions } from './sweep-sessions.ts'

interface Job {
  name: string
  everySeconds: number
  run: (services: Services) => Promise<void>
}

const jobs: Job[] = [
  { name: 'fold-counts', everySeconds: 5, run: foldCounts },
  { name: 'expire-orders', everySeconds: 5, run: expireOrders },
  { name: 'sweep-sessions', everySeconds: 300, run: sweepSessions },
]

/** Runs each job again and again, never beside itself; answers how to stop them, waiting for the one under way. */
export function startJobs(services: Services): () => Promise<void> {
  const timers = new Map<Job, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  let isStopped = false
  const plan = (job: Job) => {
    if (!isStopped)
      timers.set(
        job,
        setTimeout(() => begin(job), job.everySeconds * 1000),
      )
  }
  function begin(job: Job) {
    const turn = job
      .run(services)
      .catch((error: unknown) => services.log.warn({ err: error, job: job.name }, 'a job failed; it runs again'))
      .finally(() => {
        underWay.delete(turn)
        plan(job)
      })
    underWay.add(turn)
  }
  for (const job of jobs) plan(job)
  return async () => {
    isStopped = true
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(underWay)
  }
}
