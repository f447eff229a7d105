import { linkOptions } from '@tanstack/react-router'
import type { Period } from '#contract/analytics.ts'

type ListPlace = {
  search?: string
  status?: string
  page?: number
}

/** The tabs of a member's page, as the address bar names them. */
export const userTabs = ['profile', 'kyc', 'wallets', 'transactions', 'fractions', 'history'] as const
export type UserTab = (typeof userTabs)[number]

/** Every place in the console, for `<Link {...paths.user(id)}>` and `navigate(paths.users())`. */
export const paths = {
  dashboard: (search: { period?: Period } = {}) => linkOptions({ to: '/', search }),
  users: (search: ListPlace = {}) => linkOptions({ to: '/users', search }),
  user: (id: string, search: { tab?: UserTab } = {}) => linkOptions({ to: '/users/$id', params: { id }, search }),
  orders: () => linkOptions({ to: '/orders' }),
  order: (id: string) => linkOptions({ to: '/orders/$id', params: { id } }),
  tokens: () => linkOptions({ to: '/tokens' }),
  transactions: () => linkOptions({ to: '/transactions' }),
  kyc: () => linkOptions({ to: '/kyc' }),
  kycWebhooks: () => linkOptions({ to: '/kyc-webhooks' }),
  security: () => linkOptions({ to: '/security' }),
}
