import { afterAll, beforeEach } from 'vitest'
import { platformEvent, type PlatformEvent } from '#contract/schemas/platform-events.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import { inTransaction } from '#server/core/context.ts'
import { platformEvents } from '#server/features/messages/service.ts'
import { sendMessages } from './jobs.ts'
import { holdTimers } from './held-timers.ts'
import { type ProviderCall, startFakeProvider } from './fakes/kyc-provider.ts'
import { startServer } from './server.ts'

export const secondSecret = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
export const neverStop = new AbortController().signal

export const buildEvents = (id: string, ...types: ('member.banned' | 'member.unbanned')[]): PlatformEvent[] =>
  types.map((type) => {
    const data = { memberId: id, membershipId: null }
    return type === 'member.unbanned'
      ? platformEvent(type, { id, version: 2, data })
      : platformEvent(type, { id, version: 2, data: { ...data, reason: 'Fraud' } })
  })

export const readEvent = ({ body }: ProviderCall) => JSON.parse(body) as { type: string; data: { memberId: string } }

/** A console that sends events to a fake platform. Each test begins without events. */
export async function startEventDelivery(environment: Record<string, string> = {}) {
  const endpoint = await startFakeProvider()
  const server = await startServer({
    PLATFORM_WEBHOOK_URL: endpoint.url,
    PLATFORM_WEBHOOK_SECRET: `${endpoint.secret}, ${secondSecret}`,
    WEBHOOK_ALLOW_PRIVATE: 'on',
    ...environment,
  })
  const { services, system } = server
  const sql: typeof server.sql = (text, values) => server.sql(text, values)
  const timeLimits = holdTimers(15_000)
  const runJob = () => sendMessages(platformEvents)(services, neverStop)

  const enqueue = (...told: PlatformEvent[]) => inTransaction(system, (tx) => enqueueEvents(tx, system, told))
  const enqueueTwo = (memberId: string) => enqueue(...buildEvents(memberId, 'member.banned', 'member.unbanned'))

  const readMessages = (memberId: string) =>
    sql(
      `SELECT *, extract(epoch FROM next_try_at - last_failed_at)::float8 AS pause FROM messages WHERE channel = 'platform' AND entity_id = $1 ORDER BY id`,
      [memberId],
    )
  const readTries = (memberId: string) =>
    sql(
      `SELECT a.try_number, a.success, a.error_message, a.http_status, a.response_excerpt, a.started_by
       FROM message_attempts a JOIN messages o ON o.id = a.message_id WHERE entity_id = $1 ORDER BY a.id`,
      [memberId],
    )
  const makeAllDue = () => sql(`UPDATE messages SET next_try_at = now() - interval '1 second' WHERE state = 'waiting'`)
  const sentTypes = () => endpoint.calls.map((call) => readEvent(call).type)
  const sentIds = () => endpoint.calls.map(({ headers }) => String(headers['webhook-id']))
  const answer = (status: number, headers: Record<string, string> = {}, body = '') => {
    endpoint.answer = (response) => void response.writeHead(status, headers).end(body)
  }
  const securityEvents = () => sql('SELECT severity, event_type, description FROM security_events ORDER BY id')

  afterAll(() => endpoint.close())
  beforeEach(async () => {
    await sql('TRUNCATE messages, platform_events, security_events, list_deltas, list_totals, list_days CASCADE')
    await sql('UPDATE platform_endpoints SET paused_at = NULL, failing_since = NULL, last_success_at = NULL')
    endpoint.answer = endpoint.accept
    endpoint.calls.length = 0
  })

  return {
    timeLimits,
    server,
    endpoint,
    services,
    system,
    sql,
    runJob,
    enqueue,
    enqueueTwo,
    readMessages,
    readTries,
    makeAllDue,
    sentTypes,
    sentIds,
    answer,
    securityEvents,
  }
}
