import type { Routes } from './route.ts'
import type { searchSchemas } from './schemas/search.ts'

/** The groups of the global search, in the order they are shown. */
export const searchGroups = [
  'members',
  'orders',
  'bankLines',
  'platformTransactions',
  'transactions',
  'tokens',
] as const
export type SearchGroup = (typeof searchGroups)[number]

/** The number of hits per group. */
export const mostHits = 5

/** The number of recent items that a browser remembers. */
export const mostRecent = 8

export const searchRoutes: Routes<typeof searchSchemas> = {
  search: {
    method: 'GET',
    path: '/api/search',
    access: ['members.view', 'orders.view', 'tokens.view', 'transactions.view'],
  },
  recent: {
    method: 'GET',
    path: '/api/search/recent',
    access: ['members.view', 'orders.view', 'tokens.view', 'transactions.view'],
  },
}
