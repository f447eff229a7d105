import { eq, sql, type SQL } from 'drizzle-orm'
import { platformEvent } from '#contract/schemas/platform-events.ts'
import { banReasonRequired } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import { trimText } from '#contract/visible.ts'
import { announce, audit } from '#server/core/audit.ts'
import { enqueueEvent } from '#server/core/enqueue.ts'
import { type Ctx, inTransaction } from '#server/core/context.ts'
import { textArray } from '#server/db/parameters.ts'
import { erasedMemberError } from '#server/core/upsert.ts'
import type { Tx } from '#server/db/client.ts'
import { members } from '#server/db/tables/members.ts'
import { AppError, conflict, formatInstant, notFound, requireVersion } from '#server/lib/errors.ts'
import { memberColumns } from './list.ts'

export type StoredMember = typeof members.$inferSelect
type MemberChanges = { [Name in keyof typeof members.$inferInsert]?: (typeof members.$inferInsert)[Name] | SQL }

/** Reads the member and locks the row until the transaction ends. Throws not_found. */
export async function lockMember(tx: Tx, id: string): Promise<StoredMember> {
  const [member] = await tx.select().from(members).where(eq(members.id, id)).for('no key update')
  if (!member) throw notFound('User')
  return member
}

/** Writes changes of a locked member and raises the version. */
export async function saveMember(tx: Tx, member: StoredMember, changes: MemberChanges): Promise<Member> {
  const [saved] = await tx
    .update(members)
    .set({ ...changes, version: member.version + 1 })
    .where(eq(members.id, member.id))
    .returning(memberColumns)
  return saved!
}

/** Refuses a change of an erased member, and one that was decided on an older version (product 8.4). The message names the present state and who set it. */
export function requireFreshMember(member: StoredMember, ifMatch: number | undefined): void {
  if (member.erasedAt !== null) throw erasedMemberError(member.id)
  requireVersion(ifMatch, member.version, () => {
    const { banned, kycStatus, version } = member
    const decided = lastDecision(member)
    const who = decided ? `last decided by ${decided.by} on ${formatInstant(decided.at)}` : 'by the platform'
    const state = `${banned ? 'banned' : 'active'}, KYC status ${kycStatus ?? 'not started'}`
    const message = `This user was changed meanwhile, ${who}: now ${state}. Reload and decide again.`
    return new AppError('stale', message, { details: { version, kycBanned: banned, kycStatus, ...decided } })
  })
}

function lastDecision(member: StoredMember): { by: string; at: string } | undefined {
  const decisions = [
    { by: member.banChangedBy, at: member.banChangedAt },
    { by: member.kycDecidedBy, at: member.kycDecidedAt },
  ].filter((each): each is { by: string; at: string } => each.by !== null && each.at !== null)
  return decisions.toSorted((one, other) => other.at.localeCompare(one.at))[0]
}

/** Bans an active member. Requires a `reason` (product 9.5). Throws already_banned. */
export async function banMember(
  ctx: Ctx,
  id: string,
  given: { reason: string | null | undefined; ifMatch: number | undefined },
): Promise<Member> {
  const reason = trimText(given.reason)
  if (!reason) throw new AppError('invalid', banReasonRequired)
  return inTransaction(ctx, async (tx) => {
    const member = await lockMember(tx, id)
    if (member.banned)
      throw conflict('already_banned', 'This user is already banned', {
        status: 'banned',
        by: member.bannedBy,
        at: member.bannedAt,
      })
    requireFreshMember(member, given.ifMatch)
    const by = ctx.actor.name
    const at = ctx.at ?? sql`now()`
    const user = await saveMember(tx, member, {
      banned: true,
      bannedReason: reason,
      bannedBy: by,
      bannedAt: at,
      banChangedBy: by,
      banChangedAt: at,
    })
    await recordBan(tx, ctx, member, user, reason)
    return user
  })
}

/** Lifts a ban; throws not_banned for an active member. */
export async function unbanMember(ctx: Ctx, id: string, ifMatch: number | undefined): Promise<Member> {
  return inTransaction(ctx, async (tx) => {
    const member = await lockMember(tx, id)
    if (!member.banned)
      throw conflict('not_banned', 'This user is not banned', {
        status: 'active',
        by: member.banChangedBy,
        at: member.banChangedAt,
      })
    requireFreshMember(member, ifMatch)
    const user = await saveMember(tx, member, {
      banned: false,
      bannedReason: null,
      bannedBy: null,
      bannedAt: null,
      banChangedBy: ctx.actor.name,
      banChangedAt: sql`now()`,
    })
    await recordBan(tx, ctx, member, user, null)
    return user
  })
}

/** Writes the audit row and event of a ban or its end, and announces it, in the same transaction. */
async function recordBan(tx: Tx, ctx: Ctx, before: StoredMember, after: Member, reason: string | null) {
  await audit(tx, ctx, {
    action: after.kycBanned ? 'ban_user' : 'unban_user',
    target: { type: 'user', id: after.id },
    details: { before: { kycBanned: before.banned }, after: { kycBanned: after.kycBanned } },
    personal: {
      memberId: after.id,
      details: {
        ...(reason !== null && { reason }),
        before: { kycBanned: before.banned, bannedReason: before.bannedReason },
        after: { kycBanned: after.kycBanned, bannedReason: after.bannedReason },
      },
    },
  })
  const { id, version, membershipId } = after
  const data = { memberId: id, membershipId }
  await enqueueEvent(
    tx,
    ctx,
    reason === null
      ? platformEvent('member.unbanned', { id, version, data })
      : platformEvent('member.banned', { id, version, data: { ...data, reason } }),
  )
  // Lists of KYC, orders and transactions show banned members.
  await announce(tx, 'users', 'analytics', 'kyc', 'orders', 'transactions')
}

/**
 * Lists members again for the platform, since something changed that it reads of them, such as a wallet. Their version
 * stays: no operator's decision grows stale by it.
 */
export async function listMembersAgain(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await tx.execute(sql`
    WITH old AS MATERIALIZED (
      SELECT id FROM members WHERE id = ANY(${textArray(ids)}) AND changed_in <> pg_current_xact_id()
      ORDER BY id FOR NO KEY UPDATE
    )
    UPDATE members AS m SET changed_in = pg_current_xact_id() FROM old WHERE m.id = old.id`)
}
