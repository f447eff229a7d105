import { linkOptions } from '@tanstack/react-router'
import type { Period } from '#contract/analytics.ts'
import type { OrderStatus } from '#contract/orders.ts'
import type { TokenKind } from '#contract/tokens.ts'

type ListPlace = {
  search?: string
  status?: string
  page?: number
}

/** The tabs of KYC Management; the first stands without a parameter. */
export const kycTabs = ['submissions', 'verifications', 'step2', 'step3', 'step4'] as const
export type KycTab = (typeof kycTabs)[number]

/** `review`: review mode on this verification, or on the `next` one that waits. */
type KycPlace = ListPlace & { tab?: KycTab; review?: string }

/** `deliveries`: the log of messages, of one kind and state. */
type WebhooksPlace = { unreached?: '24h'; tab?: 'deliveries'; kind?: 'event'; status?: 'failed' }

/** Where members wait for a decision. */
export const waitingKyc: KycPlace = { tab: 'verifications', status: 'pending' }

/** The tabs of a member's page, as the address bar names them. */
export const userTabs = ['profile', 'kyc', 'wallets', 'transactions', 'fractions', 'history'] as const
export type UserTab = (typeof userTabs)[number]

/** The tabs of Security & Audit Logs; the first stands without a parameter. */
export const securityTabs = ['events', 'actions'] as const
export type SecurityTab = (typeof securityTabs)[number]

/** The tabs of Token Management. Said here as well, so that the contract's schemas stay out of the first screen. */
export const tokenTabs = ['earning', 'fractions'] as const satisfies readonly TokenKind[]

/** The status filter of the orders list, as the address bar names it; said here again so that no first load carries the orders' schemas. */
export const orderFilters = [
  'waiting_payment',
  'paid',
  'completed',
  'expired',
  'cancelled',
] as const satisfies OrderStatus[]

/** Every place in the console, for `<Link {...paths.user(id)}>` and `navigate(paths.users())`. */
export const paths = {
  dashboard: (search: { period?: Period } = {}) => linkOptions({ to: '/', search }),
  users: (search: ListPlace = {}) => linkOptions({ to: '/users', search }),
  user: (id: string, search: { tab?: UserTab } = {}) => linkOptions({ to: '/users/$id', params: { id }, search }),
  orders: (search: ListPlace & { expiring?: '24h' } = {}) => linkOptions({ to: '/orders', search }),
  order: (id: string) => linkOptions({ to: '/orders/$id', params: { id } }),
  /** `add`: with the dialog Add Token open. */
  tokens: (search: { tab?: TokenKind; add?: 'true' } = {}) => linkOptions({ to: '/tokens', search }),
  transactions: (search: ListPlace = {}) => linkOptions({ to: '/transactions', search }),
  kyc: (search: KycPlace = {}) => linkOptions({ to: '/kyc', search }),
  kycWebhooks: (search: WebhooksPlace = {}) => linkOptions({ to: '/kyc-webhooks', search }),
  security: (search: ListPlace & { tab?: SecurityTab } = {}) => linkOptions({ to: '/security', search }),
}
