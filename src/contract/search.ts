import type { Permission } from './permissions.ts'
import type { Routes } from './route.ts'
import type { searchSchemas } from './schemas/search.ts'

/** The groups of the global search, in the order they are shown. */
export const searchGroups = [
  'members',
  'orders',
  'bankLines',
  'notes',
  'platformTransactions',
  'transactions',
  'tokens',
  'messages',
] as const
export type SearchGroup = (typeof searchGroups)[number]

/** The permission to find records of a group. Without it the group is empty. */
export const searchPermissions: Record<SearchGroup, Permission> = {
  members: 'members.view',
  orders: 'orders.view',
  bankLines: 'bank.view',
  notes: 'notes.view',
  platformTransactions: 'transactions.view',
  transactions: 'transactions.view',
  tokens: 'tokens.view',
  messages: 'messages.view',
}

/** The number of hits per group. */
export const mostHits = 5

/** The number of recent items that a browser remembers. */
export const mostRecent = 8

export const searchRoutes: Routes<typeof searchSchemas> = {
  search: { method: 'GET', path: '/api/search', access: 'admin', readsMembers: true },
  recent: { method: 'GET', path: '/api/search/recent', access: 'admin', readsMembers: true },
}
