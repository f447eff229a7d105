import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { testType } from '#contract/endpoints.ts'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import type { Tx } from '#server/db/client.ts'
import { platformEndpoints } from '#server/db/tables/platform-events.ts'
import { conflict, notFound } from '#server/lib/errors.ts'
import { lockEndpoint } from './endpoint-changes.ts'
import { type EndpointRow, endpointTarget } from './endpoints.ts'

/** Why no test can be sent, otherwise null. */
function describeNoTarget(ctx: Ctx, endpoint: EndpointRow): string | null {
  if (endpointTarget(ctx, endpoint) === null) return 'has no address: set PLATFORM_WEBHOOK_URL'
  if (!endpoint.isOn) return 'is switched off'
  return endpoint.pausedAt === null ? null : 'is paused; resume it first'
}

async function enqueueTest(tx: Tx, ctx: Ctx, { id, name, version }: EndpointRow): Promise<string> {
  const [eventId] = await enqueueEvents(
    tx,
    ctx,
    [platformEvent(testType, { id, version, data: { endpoint: name } })],
    id,
  )
  if (ctx.actor.kind !== 'platform')
    await audit(tx, ctx, { action: 'test_endpoint', target: { type: 'endpoint', id }, details: { name, eventId } })
  return eventId!
}

/** Sends a test to an endpoint. Returns its event id. Throws not_found, and endpoint_state if the endpoint gets no events. */
export const testEndpoint = (ctx: Ctx, id: string): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const endpoint = await lockEndpoint(tx, id)
    const why = describeNoTarget(ctx, endpoint)
    if (why !== null) throw conflict('endpoint_state', `This endpoint ${why}`)
    return enqueueTest(tx, ctx, endpoint)
  })

/**
 * Sends a test to the endpoint of that name, or to all active ones. Throws not_found, and endpoint_state if no endpoint gets
 * events.
 */
export async function testEndpoints(
  tx: Tx,
  ctx: Ctx,
  name: string | undefined,
): Promise<{ id: string; endpoint: string }[]> {
  const isMeant = name === undefined ? undefined : eq(sql`lower(${platformEndpoints.name})`, name.toLowerCase())
  const endpoints = await tx
    .select()
    .from(platformEndpoints)
    .where(and(isNull(platformEndpoints.deletedAt), isMeant))
    .orderBy(asc(platformEndpoints.id))
    .for('no key update')
  if (endpoints.length === 0) throw notFound(`Endpoint ${name}`)
  const open = endpoints.filter((endpoint) => describeNoTarget(ctx, endpoint) === null)
  if (open.length === 0)
    throw conflict(
      'endpoint_state',
      name === undefined ? 'No endpoint takes events now' : `This endpoint ${describeNoTarget(ctx, endpoints[0]!)}`,
    )
  const sent = []
  for (const endpoint of open) sent.push({ id: await enqueueTest(tx, ctx, endpoint), endpoint: endpoint.name })
  return sent
}
