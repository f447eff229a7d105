import { sql, type SQL } from 'drizzle-orm'
import { mostWalletsShown } from '#contract/platform-api.ts'
import type { PlatformMember } from '#contract/schemas/platform-api.ts'
import { maxAttempts } from '#contract/platform.ts'
import type { Ctx } from '#server/core/context.ts'
import { instant } from '#server/db/select.ts'
import { AppError } from '#server/lib/errors.ts'
import { unknownMemberError } from '#server/core/upsert.ts'

type Kyc = PlatformMember['kyc']

/** A member as selected below. */
export type MemberRow = Omit<PlatformMember, 'kyc'> & {
  kycStatus: Kyc['status']
  currentStep: number
  rejectionReason: string | null
  final: boolean
  decidedAt: string | null
  attempts: Kyc['attempts']
  /** Includes drafts. Null before the first attempt. */
  latestAttempt: number | null
  latestSteps: Pick<NonNullable<Kyc['draft']>, 'step2' | 'step3' | 'step4'>
}

/** The steps of a member's attempt, as the platform sent them. */
const selectSteps = (memberId: string, attempt: string) => `
  'step2', (SELECT json_build_object('dateOfBirth', x.date_of_birth::text, 'nationality', x.nationality,
      'countryOfResidence', x.country_of_residence)
    FROM kyc_step2 AS x WHERE x.member_id = ${memberId} AND x.attempt_number = ${attempt}),
  'step3', (SELECT json_build_object('documentType', x.document_type, 'frontDocumentPath', x.front_document,
      'backDocumentPath', x.back_document)
    FROM kyc_step3 AS x WHERE x.member_id = ${memberId} AND x.attempt_number = ${attempt}),
  'step4', (SELECT json_build_object('selfiePath', x.selfie)
    FROM kyc_step4 AS x WHERE x.member_id = ${memberId} AND x.attempt_number = ${attempt})`

const selectLatest = (table: string, memberId: string) =>
  `(SELECT max(attempt_number) FROM ${table} WHERE member_id = ${memberId})`

/** Selects the members of `alias` for `toMember`. */
export const memberSelect = (alias: string): SQL => {
  const id = `${alias}.id`
  const latest = `greatest(${['kyc_step2', 'kyc_step3', 'kyc_step4', 'kyc_submissions'].map((table) => selectLatest(table, id)).join(', ')})`
  return sql.raw(`
    ${id}, ${alias}.email, ${alias}.legal_first_name AS "legalFirstName", ${alias}.legal_last_name AS "legalLastName",
    ${alias}.legal_phone AS "legalPhone", ${alias}.membership_id AS "membershipId", ${alias}.banned,
    ${alias}.banned_reason AS "bannedReason", ${alias}.kyc_status AS "kycStatus",
    ${alias}.kyc_current_step AS "currentStep", ${alias}.kyc_rejection_reason AS "rejectionReason",
    ${alias}.kyc_rejected_finally AS final,
    ${instant(`${alias}.kyc_decided_at`)} AS "decidedAt", ${instant(`${alias}.erased_at`)} AS "erasedAt", ${instant(`${alias}.created_at`)} AS "createdAt",
    ${alias}.version,
    (SELECT coalesce(json_agg(json_build_object('attempt', s.attempt_number, 'result', s.result, 'caseId', s.case_id,
        'submittedAt', ${instant('s.submitted_at')}, ${selectSteps('s.member_id', 's.attempt_number')})
        ORDER BY s.attempt_number), '[]')
      FROM kyc_submissions AS s WHERE s.member_id = ${id}) AS attempts,
    (SELECT coalesce(json_agg(w.address ORDER BY w.created_at, w.id), '[]')
      FROM (SELECT * FROM wallets WHERE member_id = ${id} ORDER BY created_at, id LIMIT ${mostWalletsShown}) AS w) AS wallets,
    (SELECT count(*)::int FROM wallets WHERE member_id = ${id}) AS "walletCount",
    ${latest} AS "latestAttempt",
    (SELECT json_build_object(${selectSteps(id, 'latest.number')}) FROM (SELECT ${latest} AS number) AS latest) AS "latestSteps"`)
}

export function toMember(row: MemberRow): PlatformMember {
  const { id, email, legalFirstName, legalLastName, legalPhone, membershipId, banned, bannedReason } = row
  const { wallets, walletCount, erasedAt, createdAt, version, attempts, latestAttempt, latestSteps } = row
  const { kycStatus: status, currentStep, rejectionReason, final, decidedAt } = row
  const isDraft = latestAttempt !== null && attempts.at(-1)?.attempt !== latestAttempt
  const draft = isDraft ? { attempt: latestAttempt, ...latestSteps } : null
  const nextAttempt = findNextAttempt(row)
  const kyc = { status, currentStep, rejectionReason, final, decidedAt, nextAttempt, attempts, draft }
  const named = { id, email, legalFirstName, legalLastName, legalPhone, membershipId, banned, bannedReason }
  return { ...named, kyc, wallets, walletCount, erasedAt, createdAt, version }
}

/** The open draft, otherwise the next number. */
function findNextAttempt({ kycStatus, final, latestAttempt, attempts }: MemberRow): number | null {
  if (kycStatus === 'approved' || final) return null
  const isSubmitted = attempts.at(-1)?.attempt === latestAttempt
  const next = latestAttempt === null ? 1 : isSubmitted ? latestAttempt + 1 : latestAttempt
  return next <= maxAttempts ? next : null
}

/** Reads a member as stored here. Throws not_found. */
export async function readMember({ database: { db } }: Ctx, id: string): Promise<PlatformMember> {
  const { rows } = await db.execute<MemberRow>(sql`SELECT ${memberSelect('m')} FROM members AS m WHERE m.id = ${id}`)
  const [row] = rows
  if (!row) throw unknownMemberError(id)
  return toMember(row)
}

const unknownCursorError = () =>
  new AppError('cursor_unknown', 'after: is not a cursor of this list; begin again without it')

type WalletRow = { id: string; address: string; createdAt: string }

/** A page of a member's wallets, oldest first. Throws not_found, and cursor_unknown. */
export async function readWallets(
  { database: { db } }: Ctx,
  memberId: string,
  { after, limit }: { after?: string | undefined; limit: number },
): Promise<{ wallets: Omit<WalletRow, 'id'>[]; next: string | null }> {
  if (after !== undefined && !/^\d{1,18}$/.test(after)) throw unknownCursorError()
  const { rows } = await db.execute<WalletRow>(sql`
    SELECT id::text, address, ${sql.raw(instant('created_at'))} AS "createdAt" FROM wallets
    WHERE member_id = ${memberId} AND (${after ?? null}::bigint IS NULL
      OR (created_at, id) > (SELECT last.created_at, last.id FROM wallets AS last
        WHERE last.member_id = ${memberId} AND last.id = ${after ?? null}::bigint))
    ORDER BY wallets.created_at, wallets.id LIMIT ${sql.raw(String(limit))}`)
  if (rows.length === 0) {
    const known = await db.execute<{ hasCursor: boolean }>(sql`
      SELECT EXISTS (SELECT FROM wallets WHERE member_id = ${memberId} AND id = ${after ?? null}::bigint) AS "hasCursor"
      FROM members WHERE id = ${memberId}`)
    if (known.rows.length === 0) throw unknownMemberError(memberId)
    if (after !== undefined && !known.rows[0]!.hasCursor) throw unknownCursorError()
  }
  const wallets = rows.map(({ address, createdAt }) => ({ address, createdAt }))
  return { wallets, next: rows.length < limit ? null : rows.at(-1)!.id }
}
