import { getTableName } from 'drizzle-orm'
import { parseWait, type Wait } from '#contract/kyc-reviews.ts'
import { undecided } from '#contract/kyc.ts'
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
} from '#contract/schemas/kyc-reviews.ts'
import type { Ctx } from '#server/core/context.ts'
import { type Counts, declareCounts } from '#server/db/counts.ts'
import { type ListRequest, type ListDesign, type ListFilter, dateOrders, readList } from '#server/db/list.ts'
import { type Columns, expressions, instant, jsonObject } from '#server/db/select.ts'
import { kycStep2, kycStep3, kycStep4, kycSubmissions, kycVerifications } from '#server/db/tables/kyc.ts'
import { memberRefColumns, memberCounts } from '#server/features/members/service.ts'
import { parseWholeMembershipId } from '#server/lib/search-text.ts'
import {
  providerResultColumns,
  step2Columns,
  step3Columns,
  step4Columns,
  submissionColumns,
  verificationColumns,
} from './columns.ts'

type KycTable = typeof kycSubmissions | typeof kycVerifications | typeof kycStep2 | typeof kycStep3 | typeof kycStep4

const countsBy = <const By extends Parameters<typeof declareCounts>[0]['by']>(table: KycTable, by: By) =>
  declareCounts({ name: getTableName(table), table, at: table.submittedAt, by })

export const verificationCounts = countsBy(kycVerifications, { status: kycVerifications.status })
const submissionCounts = countsBy(kycSubmissions, {
  result: kycSubmissions.result,
  processed: { auto: 't.auto_processed', manual: 'NOT t.auto_processed' },
})
const step2Counts = countsBy(kycStep2, { status: kycStep2.status })
const step3Counts = countsBy(kycStep3, { status: kycStep3.status })
const step4Counts = countsBy(kycStep4, { status: kycStep4.status })

/** Every KYC list shows members' attempts and is searched by the member's name and e-mail. */
const designList = (counts: Pick<Counts, 'list'>, columns: Columns, more: Record<string, string> = {}): ListDesign => ({
  ...counts.list,
  select: { ...expressions(columns, 't'), user: jsonObject(memberRefColumns, 'm'), ...more },
  join: 'JOIN members m ON m.id = t.member_id',
  matches: 't.member_id IN (SELECT id FROM members WHERE search LIKE search_pattern($1))',
  isFoundByMember: true,
})

/** The operator who has the waiting case `t` open, while the lease is valid. */
const claimedBy = `CASE WHEN t.status = 'pending' THEN (SELECT a.username FROM kyc_claims c
  JOIN admins a ON a.id = c.admin_id WHERE c.verification_id = t.id AND c.claimed_until > now()) END`

const needsAnotherLook = `t.status = 'pending' AND EXISTS (SELECT FROM kyc_another_looks l WHERE l.verification_id = t.id)`

/** Who has put the waiting case `t` aside for a colleague, when and why. */
const anotherLook = `CASE WHEN t.status = 'pending' THEN (
  SELECT json_build_object('by', a.username, 'at', ${instant('l.created_at')}, 'note', l.note)
  FROM kyc_another_looks l JOIN admins a ON a.id = l.admin_id WHERE l.verification_id = t.id) END`

const isOf = (step: string) => `${step}.member_id = t.member_id AND ${step}.attempt_number = t.attempt_number`

/** What was sent of the attempt `t` while it waits. */
const selectSentParts = (waits: string) => `CASE WHEN ${waits} THEN (
  SELECT json_build_object(
    'personalData', EXISTS (SELECT FROM kyc_step2 two WHERE ${isOf('two')}), 'documentType', three.document_type,
    'front', three.front_document IS NOT NULL, 'back', three.back_document IS NOT NULL,
    'selfie', EXISTS (SELECT FROM kyc_step4 four WHERE ${isOf('four')}))
  FROM (SELECT) attempt LEFT JOIN kyc_step3 three ON ${isOf('three')}) END`

/** What was sent of the verification `t` while it waits. */
export const sentOfWaiting = selectSentParts(`t.status = 'pending'`)

export const verificationList = designList(verificationCounts, verificationColumns, {
  claimedBy,
  anotherLook,
  sent: sentOfWaiting,
})

const isLatest = `NOT EXISTS (
  SELECT FROM kyc_submissions n WHERE n.member_id = t.member_id AND n.attempt_number > t.attempt_number)`
const canApprove = `t.result = 'under_review' AND m.kyc_status IS DISTINCT FROM 'approved' AND ${isLatest}`

const verificationId = `(SELECT v.id::text FROM kyc_verifications v
  WHERE v.member_id = t.member_id AND v.attempt_number = t.attempt_number AND v.status = 'pending')`

const providerOpinion = `(SELECT ${jsonObject(providerResultColumns, 'v')} FROM kyc_verifications v
  WHERE v.member_id = t.member_id AND v.attempt_number = t.attempt_number AND v.provider_result IS NOT NULL)`

const rejectionReason = `(SELECT v.rejection_reason FROM kyc_verifications v
  WHERE v.member_id = t.member_id AND v.attempt_number = t.attempt_number)`
const submissionList = designList(submissionCounts, submissionColumns, {
  canApprove,
  providerOpinion,
  rejectionReason,
  userVersion: 'm.version',
  verificationId,
  sent: selectSentParts(`t.result = 'under_review'`),
})

const step2List = designList(step2Counts, step2Columns)
const step3List = designList(step3Counts, step3Columns)
const step4List = designList(step4Counts, step4Columns)

/** Adds the search by a whole membership id. */
function byMembershipId(list: ListDesign, search = ''): ListDesign {
  const membershipId = parseWholeMembershipId(search)
  const isMembers = `t.member_id = (SELECT id FROM members WHERE membership_id = '${membershipId}')`
  return membershipId ? { ...list, keys: [isMembers] } : list
}

/** What every KYC list is asked for. */
type KycQuery = Pick<Partial<StepsQuery>, 'search' | 'sort'>

const buildList = (list: ListDesign, { search, sort = 'newest' }: KycQuery, filters: ListFilter[]): ListRequest => ({
  list: { ...byMembershipId(list, search), order: dateOrders[sort] },
  filters,
  typed: search,
})

/** Few rows, found by the table of those that need it. */
const isPutAside: ListFilter = { rows: needsAnotherLook, leaves: null }

const hoursAgo = (hours: number) => `now() - interval '${hours} hours'`
/** Pending cases that have waited so long, by the index of status and time. Few cases are pending. */
export const isWaiting = ({ from, to }: Wait): string =>
  [
    `t.status = 'pending'`,
    // What the platform's clock has submitted in the future waits too.
    ...(from > 0 ? [`t.submitted_at <= ${hoursAgo(from)}`] : []),
    ...(to === null ? [] : [`t.submitted_at > ${hoursAgo(to)}`]),
  ].join(' AND ')

export const buildVerificationList = ({
  status,
  anotherLook: isAsked,
  waiting,
  ...query
}: Partial<VerificationsQuery>): ListRequest =>
  buildList(verificationList, query, [
    verificationCounts.filter({ status }),
    ...(isAsked ? [isPutAside] : []),
    ...(waiting ? [{ rows: isWaiting(parseWait(waiting)), leaves: null }] : []),
  ])

const undecidedStatuses = undecided.map((status) => `'${status}'`).join(', ')
/** One row for each member that the dashboard counts as pending (index `members_undecided`). */
const isUndecided: ListFilter = {
  rows: `EXISTS (SELECT FROM members u WHERE u.id = t.member_id AND u.kyc_status IN (${undecidedStatuses})
    AND u.kyc_submission_count > 0) AND ${isLatest}`,
  leaves: null,
  total: `(SELECT coalesce(sum(rows), 0) FROM ${memberCounts.all} c
    WHERE ${memberCounts.leaves({ submitted: 'true', kycStatus: undecided })})`,
}

export const buildSubmissionList = ({ status, undecided: isAsked, ...query }: Partial<SubmissionsQuery>): ListRequest =>
  buildList(submissionList, query, [submissionCounts.filter({ result: status }), ...(isAsked ? [isUndecided] : [])])

export const buildStep2List = ({ status, ...query }: Partial<StepsQuery>) =>
  buildList(step2List, query, [step2Counts.filter({ status })])
export const buildStep3List = ({ status, ...query }: Partial<StepsQuery>) =>
  buildList(step3List, query, [step3Counts.filter({ status })])
export const buildStep4List = ({ status, ...query }: Partial<StepsQuery>) =>
  buildList(step4List, query, [step4Counts.filter({ status })])

/** Verifications, newest first (product 5.9, KYC Management). */
export async function listVerifications({ reads }: Ctx, query: VerificationsQuery) {
  const { rows: verifications, ...rest } = await readList<Verification>(reads, buildVerificationList(query), query)
  return { verifications, ...rest }
}

/** The reply of the history calls (product 8.3). Each history is newest first. */
const asHistory = <Row, Rest>({ rows: history, ...rest }: { rows: Row[] } & Rest) => ({ history, ...rest })

export const listSubmissions = async ({ reads }: Ctx, query: SubmissionsQuery) =>
  asHistory(await readList<ListedSubmission>(reads, buildSubmissionList(query), query))

export const listStep2 = async ({ reads }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep2>(reads, buildStep2List(query), query))

export const listStep3 = async ({ reads }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep3>(reads, buildStep3List(query), query))

export const listStep4 = async ({ reads }: Ctx, query: StepsQuery) =>
  asHistory(await readList<ListedStep4>(reads, buildStep4List(query), query))

const counted = (wanted: Parameters<typeof submissionCounts.leaves>[0]) =>
  `coalesce(sum(rows) FILTER (WHERE ${submissionCounts.leaves(wanted)}), 0)::int`
const decided = ['approved', 'rejected'] as const

const figures = `
  SELECT coalesce(sum(rows), 0)::int AS "totalSubmissions",
    ${counted({ result: 'under_review' })} AS "underReview",
    ${counted({ result: 'approved' })} AS approved,
    ${counted({ result: decided, processed: 'manual' })} AS manual,
    ${counted({ result: decided, processed: 'auto' })} AS auto
  FROM ${submissionCounts.all} counted`

/** The counts of the four cards, exact at any size of the table (product 5.2). */
export async function readKycFigures({ database }: Ctx): Promise<KycFigures> {
  const { rows } = await database.pool.query<KycFigures>({ name: 'kyc_figures', text: figures })
  return rows[0]!
}
