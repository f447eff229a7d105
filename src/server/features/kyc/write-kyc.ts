import { sql } from 'drizzle-orm'
import { auditAll } from '#server/core/audit.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { releaseClosedCases, writeAttempts, writeKycMembers } from './attempt-rows.ts'
import type { Attempt, KycMember } from './attempt-state.ts'
import { buildAuditEntry, type MemberDecision, buildEvent } from './decision.ts'
import { nextMembershipIds } from './membership.ts'

/** Changes in memory, to members whose rows are locked. */
export interface KycChanges {
  members: readonly KycMember[]
  attempts: readonly { memberId: string; attempt: Attempt }[]
  /** In the order in which they were made. */
  decisions: readonly MemberDecision[]
}

/**
 * Writes members and attempts after steps, submissions and decisions: rows, membership ids, and an audit row and an event
 * per decision (product 7.1). Nothing else writes a decision.
 */
export async function writeKyc(tx: Tx, ctx: Ctx, { members, attempts, decisions }: KycChanges): Promise<void> {
  await assignMembershipIds(tx, members)
  await auditAll(tx, ctx, decisions.map(buildAuditEntry))
  await enqueueEvents(tx, ctx, decisions.filter(({ isImported }) => !isImported).map(buildEvent))
  await writeAttempts(tx, attempts)
  const closed = attempts.filter(({ attempt }) => attempt.verification && attempt.verification.status !== 'pending')
  if (closed.length > 0)
    await releaseClosedCases(
      tx,
      closed.map(({ memberId }) => memberId),
    )
  await writeKycMembers(tx, members)
}

/** Assigns permanent membership ids in the order of the decisions (product 7.1). */
async function assignMembershipIds(tx: Tx, members: readonly KycMember[]) {
  const approved = members
    .filter((member) => member.facts.kycStatus === 'approved' && member.membershipId === null)
    .toSorted((one, other) => (one.facts.kycDecidedAt ?? '').localeCompare(other.facts.kycDecidedAt ?? ''))
  if (approved.length === 0) return
  const ids = await nextMembershipIds(tx, approved.length)
  for (const [at, member] of approved.entries()) member.membershipId = ids[at]!
}

/** The time at which the transaction began, by the database's clock. */
export async function transactionTime(tx: Tx): Promise<string> {
  const { rows } = await tx.execute<{ now: string }>(sql`SELECT now() AS now`)
  return toInstant(rows[0]!.now)
}
