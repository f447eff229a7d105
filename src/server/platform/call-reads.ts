import { sql } from 'drizzle-orm'
import type { PlatformMember, PlatformOrder } from '#contract/platform-api.ts'
import { maxAttempts } from '#contract/platform.ts'
import type { Ctx } from '#server/context.ts'
import { instant } from '#server/db/select.ts'
import { notFound } from '#server/errors.ts'
import { readPlatformOrder } from '#server/features/orders/service.ts'
import { unknownMember } from '#server/upsert.ts'

type MemberRow = Omit<PlatformMember, 'kyc' | 'wallets'> & {
  kycStatus: PlatformMember['kyc']['status']
  currentStep: number
  rejectionReason: string | null
  decidedAt: string | null
  attempts: PlatformMember['kyc']['attempts']
  wallets: string[]
  /** Of drafts and submitted attempts alike; null before the first. */
  latestAttempt: number | null
}

const instantOf = (name: string) => sql.raw(instant(name))

/** A member as the console sees it. Throws not_found. */
export async function readMember({ database: { db } }: Ctx, id: string): Promise<PlatformMember> {
  const { rows } = await db.execute<MemberRow>(sql`
    SELECT m.id, m.email, m.legal_first_name AS "legalFirstName", m.legal_last_name AS "legalLastName",
      m.legal_phone AS "legalPhone", m.membership_id AS "membershipId", m.banned, m.banned_reason AS "bannedReason",
      m.kyc_status AS "kycStatus", m.kyc_current_step AS "currentStep", m.kyc_rejection_reason AS "rejectionReason",
      ${instantOf('m.kyc_decided_at')} AS "decidedAt", ${instantOf('m.created_at')} AS "createdAt",
      (SELECT coalesce(json_agg(json_build_object('attempt', s.attempt_number, 'result', s.result, 'caseId', s.case_id,
          'submittedAt', ${instantOf('s.submitted_at')}) ORDER BY s.attempt_number), '[]')
        FROM kyc_submissions AS s WHERE s.member_id = m.id) AS attempts,
      (SELECT coalesce(json_agg(w.address ORDER BY w.created_at, w.id), '[]')
        FROM wallets AS w WHERE w.member_id = m.id) AS wallets,
      greatest(
        (SELECT max(attempt_number) FROM kyc_step2 WHERE member_id = m.id),
        (SELECT max(attempt_number) FROM kyc_step3 WHERE member_id = m.id),
        (SELECT max(attempt_number) FROM kyc_step4 WHERE member_id = m.id),
        (SELECT max(attempt_number) FROM kyc_submissions WHERE member_id = m.id)) AS "latestAttempt"
    FROM members AS m WHERE m.id = ${id}`)
  const [row] = rows
  if (!row) throw unknownMember(id)
  const { kycStatus: status, currentStep, rejectionReason, decidedAt, attempts, latestAttempt: _, ...member } = row
  const kyc = { status, currentStep, rejectionReason, decidedAt, nextAttempt: nextAttempt(row), attempts }
  return { ...member, kyc }
}

/** The draft that is open, else the one after all that there were. */
function nextAttempt({ kycStatus, latestAttempt, attempts }: MemberRow): number | null {
  if (kycStatus === 'approved') return null
  const isSubmitted = attempts.at(-1)?.attempt === latestAttempt
  const next = latestAttempt === null ? 1 : isSubmitted ? latestAttempt + 1 : latestAttempt
  return next <= maxAttempts ? next : null
}

/** An order and its state. Throws not_found. */
export async function readOrder({ database: { db } }: Ctx, orderNumber: string): Promise<PlatformOrder> {
  const order = await readPlatformOrder(db, orderNumber)
  if (!order) throw notFound(`Order ${orderNumber}`)
  return order
}
