import { platformIdForm } from '#contract/common.ts'
import { undecided } from '#contract/kyc.ts'
import type { SubmissionFilter } from '#contract/members.ts'
import type { Member, MembersQuery } from '#contract/schemas/members.ts'
import type { Ctx } from '#server/core/context.ts'
import { declareCounts } from '#server/db/counts.ts'
import { filterDays } from '#server/db/list-rows.ts'
import { type ListRequest, type ListDesign, dateOrders, readList } from '#server/db/list.ts'
import { expressions } from '#server/db/select.ts'
import { members } from '#server/db/tables/members.ts'
import { parseWholeMembershipId } from '#server/lib/search-text.ts'
import { reversePhone, parseSearchText } from '#server/search/search-terms.ts'

/** The member of a row in another list. */
export const memberRefColumns = {
  id: members.id,
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
  kycBanned: members.banned,
  bannedReason: members.bannedReason,
}

/** The fields of a member (product 6.2), the same as the contract's `User`. */
export const memberColumns = {
  id: members.id,
  email: members.email,
  legalFirstName: members.legalFirstName,
  legalLastName: members.legalLastName,
  legalPhone: members.legalPhone,
  membershipId: members.membershipId,
  kycStatus: members.kycStatus,
  kycBanned: members.banned,
  bannedReason: members.bannedReason,
  kycCompleted: members.kycCompleted,
  kycCurrentStep: members.kycCurrentStep,
  kycDocumentType: members.kycDocumentType,
  kycSubmissionCount: members.kycSubmissionCount,
  kycFrontDocumentUrl: members.kycFrontDocument,
  kycBackDocumentUrl: members.kycBackDocument,
  kycSelfieUrl: members.kycSelfie,
  erasedAt: members.erasedAt,
  createdAt: members.createdAt,
  version: members.version,
}

export const memberCounts = declareCounts({
  name: 'users',
  table: members,
  at: members.createdAt,
  by: {
    kycStatus: members.kycStatus,
    kyc: { completed: 't.kyc_completed', pending: 'NOT t.kyc_completed' },
    banned: { true: 't.banned', false: 'NOT t.banned' },
    submitted: { true: 't.kyc_submission_count > 0', false: 't.kyc_submission_count <= 0' },
  },
})

export const memberList: ListDesign = {
  ...memberCounts.list,
  select: expressions(memberColumns, 't'),
  matches: 't.search LIKE search_pattern($1)',
}

/** Matches numbers that end with these digits, or are themselves their end. */
function phoneConditions(phone: string): string[] {
  const stored = '(reverse(phone_digits(t.legal_phone)) COLLATE "C")'
  const { digits, ends } = reversePhone(phone)
  // `:` is the character after `9`.
  const isEnd = `IN (${ends.map((end) => `'${end}'`).join(', ')})`
  const ways = [`BETWEEN '${digits}' AND '${digits}:'`, ...(ends.length > 0 ? [isEnd] : [])]
  return ways.map((way) => `t.legal_phone IS NOT NULL AND ${stored} ${way}`)
}

/** Other ways to find a member: by id, membership id, case id, which has the form of an id too, and the phone number or its last digits. */
function keysOf(search: string): string[] {
  const { text, phone } = parseSearchText(search)
  const membershipId = parseWholeMembershipId(search)
  return [
    ...(platformIdForm.test(text)
      ? ['t.id = ANY ($1::text || ARRAY(SELECT member_id FROM kyc_submissions WHERE case_id IN ($1, lower($1))))']
      : []),
    ...(membershipId ? [`t.membership_id = '${membershipId}'`] : []),
    ...(phone ? phoneConditions(phone) : []),
  ]
}

type MemberListQuery = Pick<MembersQuery, 'page' | 'limit'> & Partial<MembersQuery>

type Outcome = Pick<Parameters<typeof memberCounts.filter>[0], 'kycStatus' | 'submitted'>
/** As the dashboard counts them (product 5.2). */
const outcomes: Record<SubmissionFilter, Outcome> = {
  any: { submitted: 'true' },
  none: { submitted: 'false' },
  approved: { submitted: 'true', kycStatus: 'approved' },
  undecided: { submitted: 'true', kycStatus: undecided },
  rejected: { submitted: 'true', kycStatus: 'rejected' },
}

export function buildMemberList(query: Partial<MembersQuery>): ListRequest {
  const { search, kycStatus, kycBanned, submission, sort = 'newest', ...days } = query
  const counted = { kyc: kycStatus, banned: kycBanned, ...(submission && outcomes[submission]) }
  return {
    list: { ...memberList, order: dateOrders[sort], ...(search && { keys: keysOf(search) }) },
    filters: [memberCounts.filter(counted), ...filterDays(days)],
    typed: search,
  }
}

/** Members, newest first (product 5.3, 4.4). */
export async function listMembers({ reads }: Ctx, query: MemberListQuery) {
  const { rows: users, ...rest } = await readList<Member>(reads, buildMemberList(query), query)
  return { users, ...rest }
}
