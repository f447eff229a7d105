import { eq, sql } from 'drizzle-orm'
import type { SecurityEvent } from '#contract/schemas/security.ts'
import { trimText } from '#contract/visible.ts'
import { announce, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { AppError, conflict, notFound, requireVersion } from '#server/lib/errors.ts'
import { eventColumns } from './columns.ts'

const staleEvent = (version: number) =>
  new AppError('stale', 'This event was changed meanwhile: now unresolved. Reload and decide again.', {
    details: { version },
  })

/**
 * Resolves a security event, with an optional note (product 6.10). Throws not_found, and already_resolved with who did it and
 * when.
 */
export async function resolveEvent(
  ctx: Ctx,
  id: string,
  given: { note?: string | null | undefined; ifMatch?: number | undefined } = {},
): Promise<SecurityEvent> {
  const note = trimText(given.note) || null
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx.select(eventColumns).from(securityEvents).where(eq(securityEvents.id, id)).for('update')
    if (!found) throw notFound('Security event')
    if (found.resolvedAt !== null)
      throw conflict('already_resolved', 'This event is already resolved', {
        status: 'resolved',
        by: found.resolvedBy,
        at: found.resolvedAt,
      })
    requireVersion(given.ifMatch, found.version, () => staleEvent(found.version))
    const [saved] = await tx
      .update(securityEvents)
      .set({
        resolvedAt: sql`now()`,
        resolvedBy: ctx.actor.name,
        resolutionNote: note,
        version: found.version + 1,
      })
      .where(eq(securityEvents.id, id))
      .returning(eventColumns)
    await audit(tx, ctx, {
      action: 'resolve_event',
      target: { type: 'security_event', id },
      details: {
        eventType: found.eventType,
        severity: found.severity,
        before: { resolved: false, resolutionNote: null },
        after: { resolved: true, resolutionNote: null },
      },
      ...(note !== null && {
        personal: { memberId: null, details: { after: { resolved: true, resolutionNote: note } } },
      }),
    })
    await announce(tx, 'security')
    return { ...saved!, resolved: true }
  })
}
