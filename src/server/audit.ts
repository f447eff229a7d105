import { sql } from 'drizzle-orm'
import type { LiveList } from '#contract/live.ts'
import type { PlatformEventType } from '#contract/platform-events.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import type { Ctx } from './context.ts'
import type { Tx } from './db/client.ts'
import { outbox } from './db/tables/events.ts'
import { auditLog, securityEvents } from './db/tables/security.ts'

/** The channel on which console servers hear of changes, also of those another server made. */
export const changesChannel = 'changes'

/** Tells open consoles, once the transaction has committed, that these lists changed. */
export async function announce(tx: Tx, ...lists: LiveList[]): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${changesChannel}, ${lists.join(',')})`)
}

export interface AuditEntry {
  action: AdminAction
  target?: { type: string; id: string }
  /** What the operator gave, and what changed from what to what (`before`, `after`). */
  details?: Record<string, unknown>
  /** When it was done; now by the database's clock. */
  at?: string | undefined
}

/** The audit row of a change, in the change's own transaction (PRODUCT 3.20). */
export const audit = (tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> => auditAll(tx, ctx, [entry])

/** The audit rows of a batch of changes, in one statement. */
export async function auditAll(tx: Tx, ctx: Ctx, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0 || ctx.isRehearsal) return
  const { actor } = ctx
  await tx.insert(auditLog).values(
    entries.map((entry) => ({
      createdAt: entry.at,
      actorKind: actor.kind,
      actorId: actor.kind === 'admin' ? actor.id : null,
      actorName: actor.kind === 'platform' ? `platform:${actor.name}` : actor.name,
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

export interface PlatformEvent {
  type: PlatformEventType
  /** Its row is held by whoever tells of it, so that the order of events is the order of the changes. */
  entity: { type: string; id: string }
  /** As `platformEvents` of the contract has it. */
  payload: Record<string, unknown>
  /** When it was done; now by the database's clock. */
  at?: string | undefined
}

/** What the platform must hear of, in the change's own transaction; delivered later, never lost. */
export const tellPlatform = (tx: Tx, event: PlatformEvent): Promise<void> => tellPlatformAll(tx, [event])

/** The events of a batch of changes, in one statement. */
export async function tellPlatformAll(tx: Tx, events: readonly PlatformEvent[]): Promise<void> {
  if (events.length === 0) return
  await tx.insert(outbox).values(
    events.map(({ type, entity, payload, at }) => ({
      type,
      entityType: entity.type,
      entityId: entity.id,
      payload,
      createdAt: at,
    })),
  )
  await announce(tx, 'deliveries')
}

/** A security event (PRODUCT 3.19), written by the server itself. */
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
