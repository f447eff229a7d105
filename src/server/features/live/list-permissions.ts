import type { LiveList } from '#contract/live.ts'
import type { Permission } from '#contract/permissions.ts'

/** The permission to view each list. A stream names no other. Null: a list that shows what the admin may view. */
export const listPermissions: Record<LiveList, Permission | null> = {
  users: 'members.view',
  analytics: 'dashboard.view',
  orders: 'orders.view',
  bank: 'bank.view',
  tokens: 'tokens.view',
  transactions: 'transactions.view',
  chainTransactions: 'transactions.view',
  security: 'security.view',
  logs: 'audit.view',
  kyc: 'kyc.view',
  kycWebhooks: 'messages.view',
  deliveries: 'messages.view',
  chain: 'transactions.view',
  operators: 'operators.manage',
  approvals: null,
  bulk: null,
  alerts: null,
  views: null,
}
