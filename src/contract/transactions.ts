import type { Routes } from './route.ts'
import type { transactionSchemas } from './schemas/transactions.ts'

export const transactionTypes = ['deposit', 'withdrawal', 'other'] as const
export type TransactionType = (typeof transactionTypes)[number]

export const transactionTypeLabels: Record<TransactionType, string> = {
  deposit: 'Deposit',
  withdrawal: 'Withdrawal',
  other: 'Other',
}

export const transactionStatuses = ['pending', 'completed', 'failed'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]
/** In the order of the status filter. */
export const transactionStatusLabels: Record<TransactionStatus, string> = {
  completed: 'Completed',
  pending: 'Pending',
  failed: 'Failed',
}

export const transactionRoutes: Routes<typeof transactionSchemas> = {
  monitor: { method: 'GET', path: '/api/blockchain-transactions', access: 'transactions.view', readsMembers: true },
  figures: { method: 'GET', path: '/api/blockchain-transactions/figures', access: 'transactions.view' },
  list: { method: 'GET', path: '/api/transactions', access: 'transactions.view', readsMembers: true },
}
