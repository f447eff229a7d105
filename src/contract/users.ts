import type { Routes } from './route.ts'
import type { userSchemas } from './schemas/users.ts'
import { isVisible } from './visible.ts'

/** First plus last legal name, otherwise the e-mail; a name of characters that nobody sees is none. */
export const displayName = (user: { legalFirstName: string | null; legalLastName: string | null; email: string }) =>
  [user.legalFirstName, user.legalLastName].filter((name) => name && isVisible(name)).join(' ') || user.email

/** Product 5.3, the status filter of the list, in its order; each says which call it makes. */
export const userFilters = {
  completed: { label: 'KYC Completed', query: { kycStatus: 'completed' } },
  pending: { label: 'KYC Pending', query: { kycStatus: 'pending' } },
  banned: { label: 'Banned', query: { kycBanned: 'true' } },
  active: { label: 'Active', query: { kycBanned: 'false' } },
} as const

export const banReasonRequired = 'Ban reason is required'
export const maxReason = 1000
export const maxAdminNotes = 4000

export const userRoutes: Routes<typeof userSchemas> = {
  list: {
    method: 'GET',
    path: '/api/users',
    access: 'members.view',
  },
  detail: {
    method: 'GET',
    path: '/api/users/:id',
    access: 'members.view',
  },
  ban: {
    method: 'POST',
    path: '/api/users/:id/ban',
    access: 'members.ban',
    versioned: true,
  },
  unban: {
    method: 'POST',
    path: '/api/users/:id/unban',
    access: 'members.ban',
    versioned: true,
  },
  decideKyc: {
    method: 'POST',
    path: '/api/users/:id/kyc/:action',
    access: 'kyc.decide',
    versioned: true,
  },
}
