import type { Routes } from './route.ts'
import type { memberSchemas } from './schemas/members.ts'
import { isVisible } from './visible.ts'
import { listKeys } from './states.ts'

/** First and last legal name, otherwise the e-mail. A name of invisible characters does not count. */
export const displayName = (member: { legalFirstName: string | null; legalLastName: string | null; email: string }) =>
  [member.legalFirstName, member.legalLastName].filter((name) => name && isVisible(name)).join(' ') || member.email

/** The status filter of the list in its order (product 5.3), each with its query. */
export const memberFilters = {
  completed: { label: 'KYC Completed', query: { kycStatus: 'completed' } },
  pending: { label: 'KYC Pending', query: { kycStatus: 'pending' } },
  banned: { label: 'Banned', query: { kycBanned: 'true' } },
  active: { label: 'Active', query: { kycBanned: 'false' } },
} as const

/** Members by the outcome of the KYC that they submitted; `any`: anyone who has submitted, `none`: anyone who has not. */
export const submissionLabels = {
  any: 'Have submitted KYC',
  none: 'Have never submitted KYC',
  approved: 'Submitted and approved',
  undecided: 'Submitted and not decided',
  rejected: 'Submitted and rejected',
}
export const submissionFilters = listKeys(submissionLabels)
export type SubmissionFilter = (typeof submissionFilters)[number]

export const banReasonRequired = 'Ban reason is required'
export const maxReason = 1000
export const maxAdminNotes = 4000

export const memberRoutes: Routes<typeof memberSchemas> = {
  list: { method: 'GET', path: '/api/users', access: 'members.view', readsMembers: true },
  detail: { method: 'GET', path: '/api/users/:id', access: 'members.view', readsMembers: true },
  ban: { method: 'POST', path: '/api/users/:id/ban', access: 'members.ban', versioned: true, approvals: ['ban_user'] },
  unban: {
    method: 'POST',
    path: '/api/users/:id/unban',
    access: 'members.ban',
    versioned: true,
    approvals: ['unban_user'],
  },
  decideKyc: {
    method: 'POST',
    path: '/api/users/:id/kyc/:action',
    access: 'kyc.decide',
    versioned: true,
    stepUpKind: 'kyc',
    approvals: ['approve_kyc', 'reject_kyc', 'reset_kyc'],
  },
}
