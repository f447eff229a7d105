import { linkOptions } from '@tanstack/react-router'

interface ListPlace {
  search?: string
  status?: string
  page?: number
}

/** Every place in the console, for `<Link {...paths.user(id)}>` and `navigate(paths.users())`. */
export const paths = {
  dashboard: () => linkOptions({ to: '/' }),
  users: (search: ListPlace = {}) => linkOptions({ to: '/users', search }),
  user: (id: string, search: { tab?: string } = {}) => linkOptions({ to: '/users/$id', params: { id }, search }),
  orders: () => linkOptions({ to: '/orders' }),
  order: (id: string) => linkOptions({ to: '/orders/$id', params: { id } }),
  tokens: () => linkOptions({ to: '/tokens' }),
  transactions: () => linkOptions({ to: '/transactions' }),
  kyc: () => linkOptions({ to: '/kyc' }),
  kycWebhooks: () => linkOptions({ to: '/kyc-webhooks' }),
  security: () => linkOptions({ to: '/security' }),
}
