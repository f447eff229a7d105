import { and, eq, isNull } from 'drizzle-orm'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { platformEndpoints } from '#server/db/tables/platform-events.ts'
import { CommandError } from '#server/lib/command-error.ts'
import { notFound } from '#server/lib/errors.ts'
import type { EndpointRow } from './endpoints.ts'

async function lockEndpoint(tx: Tx, id: string): Promise<EndpointRow> {
  const [endpoint] = await tx
    .select()
    .from(platformEndpoints)
    .where(and(eq(platformEndpoints.id, id), isNull(platformEndpoints.deletedAt)))
    .for('no key update')
  if (!endpoint) throw notFound('Endpoint')
  return endpoint
}

const targetOfAudit = (id: string) => ({ type: 'endpoint', id })

/** Lets events go out again to an endpoint that was paused; answers since when it was. Throws not_found, endpoint_state. */
export const resumeEndpoint = (ctx: Ctx, id: string): Promise<string> =>
  inTransaction(ctx, async (tx) => {
    const { pausedAt } = await lockEndpoint(tx, id)
    if (pausedAt === null) throw new CommandError('Events are not paused, so there is nothing to resume')
    await tx.update(platformEndpoints).set({ pausedAt: null }).where(eq(platformEndpoints.id, id))
    await audit(tx, ctx, { action: 'resume_events', target: targetOfAudit(id), details: { pausedAt } })
    await announce(tx, 'deliveries')
    return pausedAt
  })
