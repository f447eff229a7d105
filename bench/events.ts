/**
 * How fast events are delivered: 10,000 of 1,000 members, to an endpoint in its own process that accepts each at once, then
 * to one that refuses half of all posts, with short pauses between tries. Every event must arrive, in order per member.
 *
 *   node bench/events.ts [events, default 10000]
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { platformEvent, type PlatformEvent } from '#contract/schemas/platform-events.ts'
import { createPlatformEndpoint } from '#server/adapters/platform-endpoint.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import { readConfig } from '#server/core/config.ts'
import { contextFor, inTransaction } from '#server/core/context.ts'
import { connectPool } from '#server/db/client.ts'
import { eventEndpoint, platformEvents, sendDue } from '#server/features/messages/service.ts'
import { openServerBase } from '#server/process/start.ts'
import type { ReceivedEvent } from './event-endpoint.ts'
import { serve } from './measuring.ts'

const count = Number(process.argv[2] ?? 10_000)
const members = 1000
const never = new AbortController().signal

const folder = await mkdtemp(join(tmpdir(), 'back-office-bench-'))
const environment = { DATA_DIR: join(folder, 'data'), DEMO: 'off', WEBHOOK_ALLOW_PRIVATE: 'on' }
const foundation = await openServerBase(readConfig(environment), pino({ level: 'silent' }), () => {})
const superuser = connectPool({ ...foundation.owner, options: '' }, () => {})

const event = (n: number): PlatformEvent => {
  const id = `m-${n % members}`
  return platformEvent('member.banned', { id, version: 2, data: { memberId: id, membershipId: null, reason: 'Fraud' } })
}

async function measure(name: string, failing: number, pauses?: readonly number[]) {
  const endpoint = await serve('event-endpoint.ts', { failing })
  const config = readConfig({
    ...environment,
    PLATFORM_WEBHOOK_URL: `http://127.0.0.1:${endpoint.port}/events`,
    PLATFORM_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
  })
  const services = { ...foundation.services, config, platformEndpoint: createPlatformEndpoint(config) }
  const ctx = contextFor(services, { kind: 'system', name: 'bench' })
  await superuser.pool.query('TRUNCATE messages, platform_events CASCADE')
  for (let n = 0; n < count; n += 1000)
    await inTransaction(ctx, (tx) =>
      enqueueEvents(
        tx,
        ctx,
        Array.from({ length: Math.min(1000, count - n) }, (_, at) => event(n + at)),
      ),
    )
  const begun = performance.now()
  while ((await eventEndpoint(ctx)).oldestWaitingAt !== null) {
    await sendDue(ctx, platformEvents, never, pauses && { pauses })
    await pause(20)
  }
  const seconds = (performance.now() - begun) / 1000
  const { taken, posts } = (await (await fetch(`http://127.0.0.1:${endpoint.port}`)).json()) as {
    taken: ReceivedEvent[]
    posts: number
  }
  endpoint.stop()
  const lost = count - new Set(taken.map(({ id }) => id)).size
  const ofMembers = Map.groupBy(taken, ({ memberId }) => memberId)
  const disordered = [...ofMembers.values()].flatMap((each) =>
    each.filter(({ sequence }, at) => at > 0 && sequence < each[at - 1]!.sequence),
  )
  const rate = Math.round(count / seconds).toLocaleString('en')
  console.log(
    `${name}: ${count} events, ${posts} posts, ${seconds.toFixed(1)} s, ${rate} events/s, ${lost} lost, ${taken.length - count + lost} twice, ${disordered.length} out of order`,
  )
}

try {
  await measure('fast endpoint', 0)
  await measure('endpoint that fails half of the time', 0.5, Array<number>(60).fill(0.05))
} finally {
  await superuser.close()
  await foundation.close()
  await rm(folder, { recursive: true, force: true })
}
