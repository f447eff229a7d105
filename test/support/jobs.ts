import { contextFor, type Services } from '#server/core/context.ts'
import { type Channel, sendDue } from '#server/features/messages/service.ts'
import { jobs, runJob as run } from '#server/jobs/jobs.ts'

/** Runs the job of that name once, as the clock does. */
export async function runJob(services: Services, name: string): Promise<void> {
  const job = jobs.find((each) => each.name === name)
  if (!job) throw new Error(`no job is called ${name}`)
  await run(services, job, new AbortController().signal)
}

/** Sends what is due of a channel, as its job does. */
export const sendMessages = (channel: Channel) => (services: Services, stop: AbortSignal) =>
  sendDue(contextFor(services, { kind: 'system', name: 'queue' }), channel, stop)
