import type { Services } from '#server/core/context.ts'
import { endJobs, type Job, jobs, jobsOfOthers, runJob } from './jobs.ts'

/** After a start, jobs with long intervals run early, because work may wait for this server. */
const firstWithinSeconds = 5

async function runCounted(services: Services, job: Job, stop: AbortSignal): Promise<void> {
  const { jobRuns, jobDuration, jobLastSuccess } = services.metrics
  const labels = { job: job.name }
  const end = jobDuration.startTimer(labels)
  try {
    await runJob(services, job, stop)
    jobRuns.inc({ ...labels, outcome: 'ok' })
    jobLastSuccess.setToCurrentTime(labels)
  } catch (error) {
    jobRuns.inc({ ...labels, outcome: 'failed' })
    throw error
  } finally {
    end()
  }
}

/** Runs each job repeatedly, never twice at once. Returns a function that stops them and waits for running ones. */
export function startJobs(services: Services): () => Promise<void> {
  const timers = new Map<Job, NodeJS.Timeout>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()
  const schedule = (job: Job, mostSeconds = Infinity) => {
    const { everySeconds } = job
    const seconds = typeof everySeconds === 'number' ? everySeconds : everySeconds(services)
    if (!stopping.signal.aborted)
      timers.set(
        job,
        setTimeout(() => start(job), Math.min(seconds, mostSeconds) * 1000),
      )
  }
  function start(job: Job) {
    const turn = runCounted(services, job, stopping.signal)
      .catch((error: unknown) => services.log.warn({ err: error, job: job.name }, 'a job failed; it runs again'))
      .finally(() => {
        underWay.delete(turn)
        schedule(job)
      })
    underWay.add(turn)
  }
  for (const job of services.config.hasJobs ? jobs : jobsOfOthers) schedule(job, firstWithinSeconds)
  return async () => {
    stopping.abort()
    for (const timer of timers.values()) clearTimeout(timer)
    await Promise.all(underWay)
    await endJobs(services)
  }
}
