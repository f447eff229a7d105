import { and, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import type { SecurityEvent } from '#contract/schemas/security.ts'
import { lowEventDays, maxEqualEvents } from '#contract/security.ts'
import { trimText } from '#contract/visible.ts'
import { announce, auditAll } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { securityEvents } from '#server/db/tables/security.ts'
import { AppError, conflict, notFound, requireVersion } from '#server/lib/errors.ts'
import { eventColumns } from './lists.ts'

const staleEvent = (version: number) =>
  new AppError('stale', 'This event was changed meanwhile: now unresolved. Reload and decide again.', {
    details: { version },
  })

interface Resolution {
  note?: string | null | undefined
  /** Whether the unresolved events that are equal to it are resolved too. */
  equal?: boolean | undefined
  ifMatch?: number | undefined
}

/**
 * Resolves a security event, with an optional note (product 6.10). Throws not_found, and already_resolved with who did
 * it and when. `resolved`: how many events it were, with those that are equal.
 */
export async function resolveEvent(
  ctx: Ctx,
  id: string,
  { note: given, equal = false, ifMatch }: Resolution = {},
): Promise<{ event: SecurityEvent; resolved: number }> {
  return inTransaction(ctx, async (tx) => {
    const [found] = await tx.select(eventColumns).from(securityEvents).where(eq(securityEvents.id, id)).for('update')
    if (!found) throw notFound('Security event')
    if (found.resolvedAt !== null)
      throw conflict('already_resolved', 'This event is already resolved', {
        status: 'resolved',
        by: found.resolvedBy,
        at: found.resolvedAt,
      })
    requireVersion(ifMatch, found.version, () => staleEvent(found.version))
    const others = equal ? await lockEqualEvents(tx, found) : []
    const saved = await resolveLocked(tx, ctx, [found, ...others], trimText(given) || null)
    return { event: { ...saved.get(id)!, resolved: true }, resolved: saved.size }
  })
}

type StoredEvent = Omit<SecurityEvent, 'resolved'>

/** The oldest first. Those that somebody else resolves at this moment are left to them. */
const lockEqualEvents = (tx: Tx, { id, eventType, severity, description }: StoredEvent): Promise<StoredEvent[]> =>
  tx
    .select(eventColumns)
    .from(securityEvents)
    .where(
      and(
        isNull(securityEvents.resolvedAt),
        eq(securityEvents.eventType, eventType),
        eq(securityEvents.severity, severity),
        sql`md5(${securityEvents.description}) = md5(${description})`,
        ne(securityEvents.id, id),
      ),
    )
    .orderBy(securityEvents.id)
    .limit(maxEqualEvents - 1)
    .for('update', { skipLocked: true })

async function resolveLocked(tx: Tx, ctx: Ctx, events: readonly StoredEvent[], note: string | null) {
  const saved = await tx
    .update(securityEvents)
    .set({
      resolvedAt: sql`now()`,
      resolvedBy: ctx.actor.name,
      resolutionNote: note,
      version: sql`${securityEvents.version} + 1`,
    })
    .where(
      inArray(
        securityEvents.id,
        events.map(({ id }) => id),
      ),
    )
    .returning(eventColumns)
  const personal = note === lowEventNote ? null : note
  await auditAll(
    tx,
    ctx,
    events.map(({ id, eventType, severity }) => ({
      action: 'resolve_event' as const,
      target: { type: 'security_event', id },
      details: {
        eventType,
        severity,
        before: { resolved: false, resolutionNote: null },
        after: { resolved: true, resolutionNote: personal === null ? note : null },
      },
      ...(personal !== null && {
        personal: { memberId: null, details: { after: { resolved: true, resolutionNote: note } } },
      }),
    })),
  )
  await announce(tx, 'security')
  return new Map(saved.map((event) => [event.id, event]))
}

const lowEventNote = `Low, and not resolved by anybody within ${lowEventDays} days.`

/** Resolves low events that nobody has resolved for `lowEventDays`, so that those that need somebody stand out. Returns how many. */
export async function closeLowEvents(ctx: Ctx): Promise<number> {
  for (let closed = 0; ;) {
    const count = await inTransaction(ctx, async (tx) => {
      const due = await tx
        .select(eventColumns)
        .from(securityEvents)
        .where(
          and(
            isNull(securityEvents.resolvedAt),
            eq(securityEvents.severity, 'low'),
            sql`${securityEvents.createdAt} < now() - make_interval(days => ${lowEventDays})`,
          ),
        )
        .orderBy(securityEvents.createdAt, securityEvents.id)
        .limit(maxEqualEvents)
        .for('update', { skipLocked: true })
      if (due.length > 0) await resolveLocked(tx, ctx, due, lowEventNote)
      return due.length
    })
    closed += count
    if (count < maxEqualEvents) return closed
  }
}
