import { eq } from 'drizzle-orm'
import { maxRetentionDays, type RetentionKind, retentionKinds } from '#contract/retention.ts'
import { actorName, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { retentionRules } from '#server/db/tables/retention.ts'
import { invalidField } from '#server/lib/errors.ts'

export interface RetentionRule {
  kind: RetentionKind
  /** Null: kept until the member is erased. */
  days: number | null
  changedBy: string | null
  changedAt: string | null
}

/** The rule of each kind. */
export async function readRules({ database: { db } }: Pick<Ctx, 'database'>): Promise<RetentionRule[]> {
  const stored = new Map((await db.select().from(retentionRules)).map((rule) => [rule.kind, rule]))
  return retentionKinds.map((kind) => stored.get(kind) ?? { kind, days: null, changedBy: null, changedAt: null })
}

/** Sets after how many days a kind is deleted; null: never. Throws invalid. */
export async function setRule(ctx: Ctx, kind: RetentionKind, days: number | null): Promise<void> {
  if (days !== null && (!Number.isInteger(days) || days < 1 || days > maxRetentionDays))
    throw invalidField('days', `must be a whole number from 1 to ${maxRetentionDays}`)
  await inTransaction(ctx, async (tx) => {
    await lockInTransaction(tx, 'retention rules')
    const [before] = await tx.select().from(retentionRules).where(eq(retentionRules.kind, kind))
    if ((before?.days ?? null) === days) return
    const changedBy = actorName(ctx.actor)
    await tx.delete(retentionRules).where(eq(retentionRules.kind, kind))
    if (days !== null) await tx.insert(retentionRules).values({ kind, days, changedBy })
    await audit(tx, ctx, {
      action: 'set_retention',
      target: { type: 'retention_rule', id: kind },
      details: { before: { days: before?.days ?? null }, after: { days } },
    })
  })
}
