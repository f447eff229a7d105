import { eq, type SQL, sql } from 'drizzle-orm'
import {
  alwaysDeleted,
  maxHoldReason,
  maxRetentionDays,
  type RetentionKind,
  retentionKinds,
} from '#contract/retention.ts'
import { actorName, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { lockInTransaction } from '#server/db/advisory-lock.ts'
import { retentionRules, legalHolds } from '#server/db/tables/retention.ts'
import { invalidField, AppError, conflict } from '#server/lib/errors.ts'
import { erasedMemberError } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { lockForErasure, forgetPictures } from '#server/features/members/service.ts'
import { deleteDuePictures, deleteFiles } from '#server/features/documents/service.ts'
import { deleteDueBodies, deleteDueMessages } from '#server/features/messages/service.ts'
import { deleteDueSecurityEvents } from '#server/features/security/service.ts'

const rowsAtATime = 2000
const isOfHeldMember = sql`EXISTS (SELECT FROM legal_holds AS h WHERE h.member_id = target)`

const deleteOldest =
  (table: SQL, instant: SQL, isKept: SQL = sql`false`) =>
  async (tx: Tx, days: number): Promise<number> => {
    const { rows } = await tx.execute<Record<string, unknown>>(sql`
      DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
        SELECT ctid FROM ${table} WHERE ${instant} < now() - make_interval(days => ${days}) AND NOT ${isKept}
        LIMIT ${rowsAtATime} FOR UPDATE SKIP LOCKED)) RETURNING 1`)
    return rows.length
  }

/** Deletes what is due of a kind, some at a time in a transaction of its own. */
type DeleteDue = (ctx: Ctx, kind: RetentionKind, days: number, stop: AbortSignal) => Promise<void>

const deleteRows =
  (deleteSome: (tx: Tx, days: number) => Promise<number>): DeleteDue =>
  async (ctx, kind, days, stop) => {
    for (let rows = 1; rows > 0 && !stop.aborted;)
      rows = await inTransaction(ctx, async (tx) =>
        recordStep(tx, ctx, { kind, days, rows: await deleteSome(tx, days) }),
      )
  }

const deletePictures =
  (status: 'approved' | 'rejected'): DeleteDue =>
  async (ctx, kind, days, stop) => {
    for (let after: Due['last']; !stop.aborted;) {
      const due: Due = await inTransaction(ctx, async (tx) => {
        const some = await deleteDuePictures(tx, { status, days, after })
        await forgetPictures(tx, some.members)
        await recordStep(tx, ctx, { kind, days, rows: some.files.length })
        return some
      })
      await deleteFiles(ctx, due.files)
      if (!due.last) return
      after = due.last
    }
  }

type Due = Awaited<ReturnType<typeof deleteDuePictures>>

/** Counts alone: whose they were nobody needs to know any more. Returns the number of rows. */
async function recordStep(tx: Tx, ctx: Ctx, details: { kind: RetentionKind; days: number; rows: number }) {
  if (details.rows > 0) await audit(tx, ctx, { action: 'apply_retention', details })
  return details.rows
}

const deletions: Record<RetentionKind, DeleteDue> = {
  approved_pictures: deletePictures('approved'),
  rejected_pictures: deletePictures('rejected'),
  message_bodies: deleteRows(deleteDueBodies),
  messages: deleteRows(deleteDueMessages),
  security_events: deleteRows(deleteDueSecurityEvents),
  reads: deleteRows(deleteOldest(sql`data_access`, sql`at`, isOfHeldMember)),
  known_devices: deleteRows(deleteOldest(sql`known_devices`, sql`last_seen_at`)),
}

/** Deletes what the rules say is due, but nothing of members with a legal hold. A kind that fails stops no other. */
export async function applyRules(ctx: Ctx, stop: AbortSignal): Promise<void> {
  const failures: unknown[] = []
  for (const { kind, days } of await readRules(ctx))
    if (days !== null)
      await deletions[kind](ctx, kind, days, stop).catch((cause: unknown) =>
        failures.push(new Error(`${kind} could not be deleted`, { cause })),
      )
  if (failures.length > 0) throw new AggregateError(failures, 'some of what is due could not be deleted')
}

type LegalHold = typeof legalHolds.$inferSelect

const readHold = async (tx: Tx, memberId: string): Promise<LegalHold | undefined> =>
  (await tx.select().from(legalHolds).where(eq(legalHolds.memberId, memberId)))[0]

/** Throws legal_hold if nothing of this member may be erased. The member's row is locked. */
export async function requireNoHold(tx: Tx, memberId: string): Promise<void> {
  const hold = await readHold(tx, memberId)
  if (hold)
    throw conflict('legal_hold', 'The member cannot be erased while a legal hold stands', {
      by: hold.placedBy,
      at: hold.placedAt,
    })
}

/** From then on nothing of the member is erased or deleted. Throws not_found, invalid, legal_hold if one stands, member_erased. */
export async function placeHold(ctx: Ctx, memberId: string, given: string): Promise<void> {
  const reason = given.trim()
  if (!reason || reason.length > maxHoldReason)
    throw invalidField('reason', `must have 1 to ${maxHoldReason} characters`)
  await inTransaction(ctx, async (tx) => {
    const member = await lockForErasure(tx, memberId)
    if (member.erasedAt !== null) throw erasedMemberError(memberId)
    const standing = await readHold(tx, memberId)
    if (standing)
      throw conflict('legal_hold', 'A legal hold stands already', { by: standing.placedBy, at: standing.placedAt })
    await tx.insert(legalHolds).values({ memberId, reason, placedBy: actorName(ctx.actor) })
    await audit(tx, ctx, {
      action: 'place_legal_hold',
      target: { type: 'user', id: memberId },
      personal: { memberId, details: { reason } },
    })
  })
}

/** Throws not_found if there is none. */
export async function liftHold(ctx: Ctx, memberId: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const lifted = await tx.delete(legalHolds).where(eq(legalHolds.memberId, memberId)).returning()
    if (lifted.length === 0) throw new AppError('not_found', `There is no legal hold on the member ${memberId}`)
    await audit(tx, ctx, { action: 'lift_legal_hold', target: { type: 'user', id: memberId } })
  })
}

/** All holds, the oldest first. */
export const listHolds = ({ database: { db } }: Ctx): Promise<LegalHold[]> =>
  db.select().from(legalHolds).orderBy(legalHolds.placedAt, legalHolds.memberId)

export interface RetentionRule {
  kind: RetentionKind
  /** Null: kept until the member is erased, which no kind of `alwaysDeleted` is. */
  days: number | null
  changedBy: string | null
  changedAt: string | null
}

/** The rule of each kind. */
export async function readRules({ database: { db } }: Pick<Ctx, 'database'>): Promise<RetentionRule[]> {
  const stored = new Map((await db.select().from(retentionRules)).map((rule) => [rule.kind, rule]))
  return retentionKinds.map(
    (kind) => stored.get(kind) ?? { kind, days: alwaysDeleted[kind]?.days ?? null, changedBy: null, changedAt: null },
  )
}

/** Sets after how many days a kind is deleted; null: never. Throws invalid. */
export async function setRule(ctx: Ctx, kind: RetentionKind, days: number | null): Promise<void> {
  const { least } = alwaysDeleted[kind] ?? { least: 1 }
  const isKept = days === null && !alwaysDeleted[kind]
  if (!isKept && (!Number.isInteger(days) || days! < least || days! > maxRetentionDays))
    throw invalidField('days', `must be a whole number from ${least} to ${maxRetentionDays}`)
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
