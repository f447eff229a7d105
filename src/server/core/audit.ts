import { sql } from 'drizzle-orm'
import type { LiveList } from '#contract/live.ts'
import type { AdminAction, Severity } from '#contract/security.ts'
import type { Actor, Ctx } from './context.ts'
import type { Tx } from '#server/db/client.ts'
import { auditLog, securityEvents } from '#server/db/tables/security.ts'

/** The channel that informs every server of changed lists. */
export const changesChannel = 'changes'

/** Announces to open consoles, when the transaction commits, that these lists changed. */
export async function announce(tx: Tx, ...lists: LiveList[]): Promise<void> {
  await tx.execute(sql`SELECT pg_notify(${changesChannel}, ${lists.join(',')})`)
}

/** The name of the actor in audit rows and changed rows. */
export const actorName = ({ kind, name }: Actor): string => (kind === 'platform' ? `platform:${name}` : name)

export interface AuditEntry {
  action: AdminAction
  target?: { type: string; id: string }
  /** What the operator entered, and the values `before` and `after`. */
  details?: Record<string, unknown>
  /** The time of the action. Default: now, by the database's clock. */
  at?: string | undefined
}

/** Writes the audit row of a change in its transaction (product 6.9). */
export const audit = (tx: Tx, ctx: Ctx, entry: AuditEntry): Promise<void> => auditAll(tx, ctx, [entry])

/** Writes the audit rows of a batch in one statement. */
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

/** Writes a security event (product 6.10). */
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
