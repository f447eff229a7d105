import type { Permission } from './permissions.ts'
import type { Routes } from './route.ts'
import type { viewSchemas } from './schemas/views.ts'
import { listKeys } from './states.ts'

interface ViewedList {
  path: string
  /** Null: the first tab, or none. */
  tab: string | null
  view: Permission
}

/** Lists whose filters and order can be saved under a name: where each is, and who may view it. */
export const viewLists = {
  users: { path: '/users', tab: null, view: 'members.view' },
  orders: { path: '/orders', tab: null, view: 'orders.view' },
  chainTransactions: { path: '/transactions', tab: null, view: 'transactions.view' },
  platformTransactions: { path: '/transactions', tab: 'platform', view: 'transactions.view' },
  submissions: { path: '/kyc', tab: null, view: 'kyc.view' },
  verifications: { path: '/kyc', tab: 'verifications', view: 'kyc.view' },
  securityEvents: { path: '/security', tab: null, view: 'security.view' },
  adminLogs: { path: '/security', tab: 'actions', view: 'audit.view' },
  messages: { path: '/kyc-webhooks', tab: 'deliveries', view: 'messages.view' },
} as const satisfies Record<string, ViewedList>
export type ViewList = keyof typeof viewLists
export const viewListNames = listKeys(viewLists)

/** The list at an address; null where none can be saved. */
export const findViewList = (path: string, tab: string | null): ViewList | null =>
  viewListNames.find((name) => viewLists[name].path === path && viewLists[name].tab === tab) ?? null

/** Views that one operator may keep. */
export const maxViews = 30
export const maxViewName = 60
export const maxViewSearch = 1000

/**
 * What of an address is saved. A searched text is not: it may name a person, and outlive their erasure. A page is a
 * place in a list, not a part of what it shows.
 */
export const unsavedParameters = ['search', 'page', 'tab', 'review', 'peek', 'upTo', 'altered'] as const

export const viewRoutes: Routes<typeof viewSchemas> = {
  list: { method: 'GET', path: '/api/views', access: 'admin' },
  counts: { method: 'GET', path: '/api/views/counts', access: 'admin' },
  sums: { method: 'GET', path: '/api/views/sums', access: 'admin' },
  create: { method: 'POST', path: '/api/views', access: 'admin' },
  change: { method: 'PATCH', path: '/api/views/:id', access: 'admin', versioned: true },
  share: { method: 'PATCH', path: '/api/views/:id/sharing', access: 'views.share' },
  remove: { method: 'DELETE', path: '/api/views/:id', access: 'admin' },
}

/** What of a list's address is saved, in an order that does not depend on how the address was reached. */
export function tidyViewSearch(search: string): string {
  const given = new URLSearchParams(search)
  for (const name of unsavedParameters) given.delete(name)
  given.sort()
  return given.toString()
}
