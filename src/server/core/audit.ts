import { sql } from 'drizzle-orm'
import type { LiveList } from '#contract/live.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import type { Actor, Ctx } from './context.ts'
import type { Tx } from '#server/db/client.ts'
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
