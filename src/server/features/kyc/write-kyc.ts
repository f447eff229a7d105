import { sql } from 'drizzle-orm'
import { auditAll } from '#server/core/audit.ts'
import { enqueueEvents } from '#server/core/enqueue.ts'
import type { Ctx } from '#server/core/context.ts'
import type { Tx } from '#server/db/client.ts'
import { toInstant } from '#server/db/columns.ts'
import { releaseClosedCases, writeAttempts, writeKycMembers } from './attempt-rows.ts'
import type { Attempt, KycMember } from './attempt-state.ts'
import { buildAuditEntry, type MemberDecision, buildEvent } from './decision.ts'

/**
 * Deletes the steps of a locked member's attempts, and what was written about them. Which attempts there were, and who
 * decided them when, stays. One that waits for a decision is reset. Returns the number of attempts.
 */
export async function eraseKyc(tx: Tx, memberId: string): Promise<number> {
  await tx.execute(sql`
    DELETE FROM kyc_claims WHERE verification_id IN (SELECT id FROM kyc_verifications WHERE member_id = ${memberId})`)
  await tx.execute(sql`
    DELETE FROM kyc_another_looks WHERE verification_id IN (SELECT id FROM kyc_verifications WHERE member_id = ${memberId})`)
  await tx.execute(sql`DELETE FROM kyc_step2 WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM kyc_step3 WHERE member_id = ${memberId}`)
  await tx.execute(sql`DELETE FROM kyc_step4 WHERE member_id = ${memberId}`)
  await tx.execute(sql`
    UPDATE kyc_submissions SET result = 'pending', version = version + 1
    WHERE member_id = ${memberId} AND result = 'under_review'`)
  const { rows } = await tx.execute<{ id: string }>(sql`
    UPDATE kyc_verifications SET status = CASE status WHEN 'pending' THEN 'reset' ELSE status END, provider_reason = NULL,
      document_type = NULL, nationality = NULL, rejection_reason = NULL, admin_notes = NULL, version = version + 1
    WHERE member_id = ${memberId} RETURNING id::text`)
  return rows.length
}

/** `MB-`, the digits of `number`, seven at least, and their Luhn digit (product 7.1). */
export function formatMembershipId(number: number): string {
  const digits = String(number).padStart(7, '0')
  let sum = 0
  for (const [at, digit] of digits.split('').toReversed().entries()) {
    const doubled = Number(digit) * (at % 2 === 0 ? 2 : 1)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return `MB-${digits}${(10 - (sum % 10)) % 10}`
}

/** The next membership ids, in the order of approval. An id is never used twice. */
async function nextMembershipIds(tx: Tx, count: number): Promise<string[]> {
  const taken = await tx.execute<{ number: string }>(
    sql`SELECT nextval('membership_numbers') AS number FROM generate_series(1, ${count}::int)`,
  )
  return taken.rows.map(({ number }) => formatMembershipId(Number(number)))
}

/** Changes in memory, to members whose rows are locked. */
export interface KycChanges {
  members: readonly KycMember[]
  attempts: readonly { memberId: string; attempt: Attempt }[]
  /** In the order in which they were made. */
  decisions: readonly MemberDecision[]
}

/**
 * Writes members and attempts after steps, submissions and decisions: rows, membership ids, and an audit row and an
 * event per decision (product 7.1). Nothing else writes a decision.
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
