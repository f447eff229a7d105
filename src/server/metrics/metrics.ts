import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { FastifyInstance } from 'fastify'
import { liveRoutes } from '#contract/live.ts'

/** In place of the address of what no route serves, which a caller may choose freely. */
const unknownRoute = 'none'

/** Counts each reply by the pattern of its route, such as `/api/users/:id`. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? unknownRoute
    metrics.requests.inc({ method: request.method, route, status: reply.statusCode })
    if (route !== liveRoutes.stream.path)
      metrics.requestDuration.observe({ method: request.method, route }, reply.elapsedTime / 1000)
  })
}

/** What this process counts for `/metrics`. No label has an id, a name or a text: values come from the code alone. */
export interface Metrics {
  registry: Registry
  requests: Counter<'method' | 'route' | 'status'>
  /** Seconds until the reply was sent. Event streams are left out, since they last as long as their page. */
  requestDuration: Histogram<'method' | 'route'>
  liveStreams: Gauge
  jobRuns: Counter<'job' | 'outcome'>
  /** Seconds. */
  jobDuration: Histogram<'job'>
  /** When the job last ended without an error, in seconds since 1970. */
  jobLastSuccess: Gauge<'job'>
  messageTries: Counter<'channel' | 'outcome'>
}

export const metricPrefix = 'back_office_'

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const jobBuckets = [0.01, 0.1, 1, 10, 60, 600]

/** One a process. Counting costs about a microsecond a request. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  return {
    registry,
    requests: new Counter({
      name: `${metricPrefix}http_requests_total`,
      help: 'Requests that were answered, by the route of the call',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestDuration: new Histogram({
      name: `${metricPrefix}http_request_duration_seconds`,
      help: 'Time until the reply was sent, without event streams',
      labelNames: ['method', 'route'],
      buckets: requestBuckets,
      registers,
    }),
    liveStreams: new Gauge({ name: `${metricPrefix}live_streams`, help: 'Open event streams of consoles', registers }),
    jobRuns: new Counter({
      name: `${metricPrefix}job_runs_total`,
      help: 'Runs of jobs by the clock; outcome is ok or failed',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    jobDuration: new Histogram({
      name: `${metricPrefix}job_duration_seconds`,
      help: 'Time that a run of a job took',
      labelNames: ['job'],
      buckets: jobBuckets,
      registers,
    }),
    jobLastSuccess: new Gauge({
      name: `${metricPrefix}job_last_success_timestamp_seconds`,
      help: 'When the job last ended without an error, on this server',
      labelNames: ['job'],
      registers,
    }),
    messageTries: new Counter({
      name: `${metricPrefix}message_tries_total`,
      help: 'Tries to deliver a message; outcome is delivered or failed',
      labelNames: ['channel', 'outcome'],
      registers,
    }),
  }
}
