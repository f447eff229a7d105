import { sql } from 'drizzle-orm'
import type { LiveList } from '#contract/live.ts'
import type { PlatformEvent } from '#contract/schemas/platform-events.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import type { Actor, Ctx } from './context.ts'
import type { Tx } from '#server/db/client.ts'
import { messages } from '#server/db/tables/messages.ts'
import { auditLog, securityEvents } from '#server/db/tables/security.ts'

/** The channel on which console servers hear of changes, also of those another server made. */
export const changesChannel = 'changes'

/** Tells open consoles, once the transaction has committed, that these lists changed. */
export async function announce(tx: Tx, ...lists: LiveList[]): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${changesChannel}, ${lists.join(',')})`)
}

/** Who acts, as audit rows and the rows that were changed name them. */
export const actorName = ({ kind, name }: Actor): string => (kind === 'platform' ? `platform:${name}` : name)

export interface AuditEntry {
  action: AdminAction
  target?: { type: string; id: string }
  /** What the operator gave, and what changed from what to what (`before`, `after`). */
  details?: Record<string, unknown>
  /** When it was done; now by the database's clock. */
  at?: string | undefined
}

/** The audit row of a change, in the change's own transaction (product 6.9). */
export const audit = (tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> => auditAll(tx, ctx, [entry])

/** The audit rows of a batch of changes, in one statement. */
export async function auditAll(tx: Tx, ctx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0 || ctx.isDryRun) return
  const { actor } = ctx
  await tx.insert(auditLog).values(
    entries.map((entry) => ({
      createdAt: entry.at,
      actorKind: actor.kind,
      actorId: actor.kind === 'admin' ? actor.id : null,
      actorName: actorName(actor),
      action: entry.action,
      targetType: entry.target?.type ?? null,
      targetId: entry.target?.id ?? null,
      details: entry.details ?? {},
      ipAddress: ctx.ipAddress,
      requestId: ctx.requestId,
    })),
  )
  await announce(tx, 'logs')
}

/**
 * What the platform must hear of, in the change's own transaction; delivered later, never lost. Whoever tells of it holds
 * the row of the event's entity, so that the order of events is the order of the changes.
 */
export const tellPlatform = (tx: Tx, event: PlatformEvent): Promise<void> => tellPlatformAll(tx, [event])

/** The events of a batch of changes, in one statement. */
export async function tellPlatformAll(tx: Tx, events: readonly PlatformEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.insert(messages).values(
    events.map(({ type, entity, version, data, at }) => ({
      channel: 'platform' as const,
      direction: 'out' as const,
      orderingKey: `${entity.type}/${entity.id}`,
      nextTryAt: sql`now()`,
      type,
      version,
      entityType: entity.type,
      entityId: entity.id,
      payload: { ...data },
      createdAt: at,
    })),
  )
  await announce(tx, 'deliveries')
}

/** A security event (product 6.10), written by the server itself. */
export async function raiseSecurityEvent(
  tx: Tx,
  ctx: Pick<Ctx, 'ipAddress'>,
  event: { severity: Severity; type: string; description: string; details?: Record<string, unknown> },
): Promise<void> {
  await tx.insert(securityEvents).values({
    severity: event.severity,
    eventType: event.type,
    description: event.description,
    details: event.details ?? {},
    ipAddress: ctx.ipAddress,
  })
  await announce(tx, 'security')
}
