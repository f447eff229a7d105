import { eq } from 'drizzle-orm'
import { maxHoldReason } from '#contract/retention.ts'
import { actorName, audit } from '#server/core/audit.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { erasedMemberError } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { legalHolds } from '#server/db/tables/retention.ts'
import { lockForErasure } from '#server/features/users/service.ts'
import { AppError, conflict, invalidField } from '#server/lib/errors.ts'

export type LegalHold = typeof legalHolds.$inferSelect

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
