import { eq, type SQL, sql } from 'drizzle-orm'
import { listMissingParts, type SentParts } from '#contract/kyc-parts.ts'
import { RowId } from '#contract/schemas/common.ts'
import type { ReviewCase, Verification } from '#contract/schemas/kyc-reviews.ts'
import type { Tx } from '#server/db/client.ts'
import { type Columns, jsonObject, selectColumns } from '#server/db/select.ts'
import { kycVerifications } from '#server/db/tables/kyc.ts'
import { transliterateName } from '#server/lib/latin-letters.ts'
import { AppError, conflict, notFound } from '#server/lib/errors.ts'
import { memberColumns } from '#server/features/members/service.ts'
import { step2Columns, step3Columns, step4Columns, verificationColumns } from './columns.ts'
import { latestSubmittedAttempt } from './decide.ts'
import { sentOfWaiting, verificationCounts, verificationList } from './lists.ts'

type LockedCase = typeof kycVerifications.$inferSelect

/** Throws not_found unless the id has the form of the database's ids. */
export function requireRowId(id: string): string {
  if (!RowId.safeParse(id).success) throw notFound('Verification')
  return id
}

/** Reads a verification and locks it until the transaction ends. Throws not_found. */
export async function lockCase(tx: Tx, id: string): Promise<LockedCase> {
  const [found] = await tx.select().from(kycVerifications).where(eq(kycVerifications.id, id)).for('no key update')
  if (!found) throw notFound('Verification')
  return found
}

/**
 * Refuses a case that is decided, with by whom and when, or superseded by a later attempt. `from`: the statuses that it
 * may have.
 */
export async function requireWaitingCase(
  tx: Tx,
  { memberId, attemptNumber, status, decidedBy, decidedAt }: LockedCase,
  from: readonly LockedCase['status'][] = ['pending'],
) {
  if (!from.includes(status))
    throw conflict('attempt_decided', `This case is already ${status}`, { status, by: decidedBy, at: decidedAt })
  const latestAttempt = (await latestSubmittedAttempt(tx, memberId)) ?? attemptNumber
  if (attemptNumber === latestAttempt) return
  const message = `This is attempt ${attemptNumber}; attempt ${latestAttempt} has been submitted since`
  throw new AppError('attempt_superseded', message, { details: { latestAttempt } })
}

/** Who was rejected may begin again, as who waits. */
const resettable = ['pending', 'rejected'] as const
/** Whether a reset of the member is one of this attempt (product 7.1). */
export const isResettable = `t.status IN ('${resettable.join(`', '`)}')
  AND EXISTS (SELECT FROM members m WHERE m.id = t.member_id AND m.kyc_status IS DISTINCT FROM 'approved')
  AND t.attempt_number = (SELECT max(s.attempt_number) FROM kyc_submissions s WHERE s.member_id = t.member_id)`

/** The member of a case that can be reset. Throws not_found, attempt_decided and attempt_superseded. */
export async function findResettable(tx: Tx, id: string): Promise<string> {
  // Without a lock: each change of a case changes the version of its member first.
  const [found] = await tx.select().from(kycVerifications).where(eq(kycVerifications.id, id))
  if (!found) throw notFound('Verification')
  await requireWaitingCase(tx, found, resettable)
  return found.memberId
}

const fromVerifications = `FROM kyc_verifications t ${verificationList.join}`

/** A verification in the form of the list. */
export async function readVerification(tx: Tx, id: string): Promise<Verification> {
  const { rows } = await tx.execute<Record<string, unknown>>(
    sql`SELECT ${sql.raw(`${selectColumns(verificationList.select)} ${fromVerifications}`)} WHERE t.id = ${id}`,
  )
  // The selected columns are those of the contract.
  return rows[0] as unknown as Verification
}

const selectStep = (columns: Columns, table: string) =>
  `(SELECT ${jsonObject(columns, 'x')} FROM ${table} x
    WHERE x.member_id = t.member_id AND x.attempt_number = t.attempt_number)`

const caseSelect = selectColumns({
  user: jsonObject(memberColumns, 'm'),
  step2: selectStep(step2Columns, 'kyc_step2'),
  step3: selectStep(step3Columns, 'kyc_step3'),
  step4: selectStep(step4Columns, 'kyc_step4'),
  earlierAttempts: `(SELECT coalesce(json_agg(${jsonObject(verificationColumns, 'x')} ORDER BY x.attempt_number DESC), '[]')
    FROM kyc_verifications x WHERE x.member_id = t.member_id AND x.attempt_number < t.attempt_number)`,
})

type CaseRow = Pick<ReviewCase, 'user' | 'step3' | 'step4' | 'earlierAttempts'> & {
  step2: Omit<NonNullable<ReviewCase['step2']>, 'user'> | null
}

/** Everything a decision needs. */
export async function readCase(tx: Tx, id: string, claimedUntil: string | null): Promise<ReviewCase> {
  const verification = await readVerification(tx, id)
  const { rows } = await tx.execute<Record<string, unknown>>(
    sql`SELECT ${sql.raw(`${caseSelect} ${fromVerifications}`)} WHERE t.id = ${id}`,
  )
  const { step2, ...rest } = rows[0] as unknown as CaseRow
  const { legalFirstName, legalLastName } = rest.user
  const latinName = { first: transliterateName(legalFirstName), last: transliterateName(legalLastName) }
  return { verification, ...rest, latinName, step2: step2 && { ...step2, user: verification.user }, claimedUntil }
}

/** How many of these verifications wait and lack something that is asked for (product 7.1). */
export async function countIncompleteCases(tx: Tx, ids: SQL): Promise<number> {
  const { rows } = await tx.execute<{ sent: string; count: number }>(sql`
    SELECT ${sql.raw(sentOfWaiting)}::text AS sent, count(*)::int AS count FROM kyc_verifications t
    WHERE t.status = 'pending' AND t.id IN (${ids}) GROUP BY 1`)
  const incomplete = rows.filter(({ sent }) => listMissingParts(JSON.parse(sent) as SentParts).length > 0)
  return incomplete.reduce((sum, { count }) => sum + count, 0)
}

/** From 1: the place of a waiting case among all that wait, the oldest first. */
export async function findPosition(tx: Tx, id: string): Promise<number> {
  const { rows } = await tx.execute<{ position: number }>(sql`
    SELECT count(*)::int AS position FROM kyc_verifications v WHERE v.status = 'pending'
      AND (v.submitted_at, v.id) <= (SELECT submitted_at, id FROM kyc_verifications WHERE id = ${id})`)
  return rows[0]!.position
}

/** The number of waiting cases, claimed or not. Exact at any size. */
export async function countWaitingCases(tx: Tx): Promise<number> {
  const { rows } = await tx.execute<{ waiting: number }>(sql`
    SELECT coalesce(sum(rows), 0)::int AS waiting
    FROM ${sql.raw(verificationCounts.all)} counted WHERE ${sql.raw(verificationCounts.leaves({ status: 'pending' }))}`)
  return rows[0]!.waiting
}
