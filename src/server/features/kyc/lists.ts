import type {
  KycFigures,
  ListedStep2,
  ListedStep3,
  ListedStep4,
  ListedSubmission,
  StepsQuery,
  SubmissionsQuery,
  Verification,
  VerificationsQuery,
} from '#contract/kyc-reviews.ts'
import type { Ctx } from '#server/context.ts'
import { leavesOf, type ListAsked, type ListDesign, type ListFilter, readList } from '#server/db/list.ts'
import { type Columns, expressions, jsonObject } from '#server/db/select.ts'
import {
  memberRefColumns,
  providerWordColumns,
  step2Columns,
  step3Columns,
  step4Columns,
  submissionColumns,
  verificationColumns,
} from './columns.ts'

/** Every KYC list is of members' attempts, and found by the member's name and e-mail. */
const listOf = (table: string, columns: Columns, more: Record<string, string> = {}): ListDesign => ({
  name: table,
  table,
  at: 'submitted_at',
  select: { ...expressions(columns, 't'), user: jsonObject(memberRefColumns, 'm'), ...more },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.member_id IN (SELECT id FROM members WHERE search LIKE search_pattern($1))',
})

/** Who has the waiting case `t` open, while their lease lasts. */
const claimedBy = `CASE WHEN t.status = 'pending' THEN (SELECT a.username FROM kyc_claims c
  JOIN admins a ON a.id = c.admin_id WHERE c.verification_id = t.id AND c.claimed_until > now()) END`

export const verificationList = listOf('kyc_verifications', verificationColumns, { claimedBy })

const canApprove = `t.result = 'under_review' AND m.kyc_status IS DISTINCT FROM 'approved' AND NOT EXISTS (
  SELECT FROM kyc_submissions n WHERE n.member_id = t.member_id AND n.attempt_number > t.attempt_number)`

const verificationId = `(SELECT v.id::text FROM kyc_verifications v
  WHERE v.member_id = t.member_id AND v.attempt_number = t.attempt_number AND v.status = 'pending')`

const providerWord = `(SELECT ${jsonObject(providerWordColumns, 'v')} FROM kyc_verifications v
  WHERE v.member_id = t.member_id AND v.attempt_number = t.attempt_number AND v.provider_result IS NOT NULL)`

const submissionList = listOf('kyc_submissions', submissionColumns, {
  canApprove,
  providerWord,
  userVersion: 'm.version',
  verificationId,
})

const step2List = listOf('kyc_step2', step2Columns)
const step3List = listOf('kyc_step3', step3Columns)
const step4List = listOf('kyc_step4', step4Columns)

const asked = (list: ListDesign, search: string | undefined, filter: ListFilter | false | undefined): ListAsked => ({
  list,
  filters: filter ? [filter] : [],
  typed: search,
})
// Leaves of verifications and steps are the statuses.
const byStatus = (status: string | undefined) =>
  status !== undefined && { rows: `t.status = '${status}'`, leaves: `leaf = '${status}'` }

export const askVerifications = ({ search, status }: Partial<VerificationsQuery>): ListAsked =>
  asked(verificationList, search, byStatus(status))

// Leaves of submissions are `<result>/<manual or auto>`.
export const askSubmissions = ({ search, status }: Partial<SubmissionsQuery>): ListAsked =>
  asked(
    submissionList,
    search,
    status !== undefined && { rows: `t.result = '${status}'`, leaves: `leaf LIKE '${status}/%'` },
  )

export const askStep2 = ({ search, status }: Partial<StepsQuery>) => asked(step2List, search, byStatus(status))
export const askStep3 = ({ search, status }: Partial<StepsQuery>) => asked(step3List, search, byStatus(status))
export const askStep4 = ({ search, status }: Partial<StepsQuery>) => asked(step4List, search, byStatus(status))

/** Verifications, newest first (SPEC section 2, KYC Management). */
export async function listVerifications({ database }: Ctx, query: VerificationsQuery) {
  const { rows: verifications, ...rest } = await readList<Verification>(database.pool, askVerifications(query), query)
  return { verifications, ...rest }
}

/** The envelope of the lists that SPEC calls histories; each newest first. */
const asHistory = <Row, Rest>({ rows: history, ...rest }: { rows: Row[] } & Rest) => ({ history, ...rest })

export const listSubmissions = async ({ database }: Ctx, query: SubmissionsQuery) =>
  asHistory(await readList<ListedSubmission>(database.pool, askSubmissions(query), query))

export const listStep2 = async ({ database }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep2>(database.pool, askStep2(query), query))

export const listStep3 = async ({ database }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep3>(database.pool, askStep3(query), query))

export const listStep4 = async ({ database }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep4>(database.pool, askStep4(query), query))

const figures = `
  SELECT coalesce(sum(rows), 0)::int AS "totalSubmissions",
    coalesce(sum(rows) FILTER (WHERE leaf LIKE 'under_review/%'), 0)::int AS "underReview",
    coalesce(sum(rows) FILTER (WHERE leaf LIKE 'approved/%'), 0)::int AS approved,
    coalesce(sum(rows) FILTER (WHERE leaf IN ('approved/manual', 'rejected/manual')), 0)::int AS manual,
    coalesce(sum(rows) FILTER (WHERE leaf IN ('approved/auto', 'rejected/auto')), 0)::int AS auto
  FROM ${leavesOf('kyc_submissions')} counted`

/** What the four cards count, exact at any size of the table (PRODUCT 3.24). */
export async function kycFigures({ database }: Ctx): Promise<KycFigures> {
  const { rows } = await database.pool.query<KycFigures>({ name: 'kyc_figures', text: figures })
  return rows[0]!
}
