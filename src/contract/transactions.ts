import { defineList, statusSelect } from './list.ts'
import type { Routes } from './route.ts'
import type { transactionSchemas } from './schemas/transactions.ts'
import { createdSorts, platformTransactionSorts } from './sorts.ts'

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

const filters = {
  status: { labels: transactionStatusLabels, select: statusSelect },
  type: { labels: transactionTypeLabels, select: { label: 'Type filter', all: 'All Types' } },
  /** The member whose they are, on either side of a transfer. */
  userId: { form: 'platformId' },
} as const

/** Transfers on the chain. */
export const chainTransactionList = defineList({
  search: { label: 'Transaction hash or wallet address', placeholder: 'Transaction hash or wallet address...' },
  filters: { ...filters, tokenAddress: { form: 'address', parameter: 'token' } },
  days: 'instant',
  sorts: createdSorts,
})

/** Movements on the members' accounts. */
export const platformTransactionList = defineList({
  search: { label: 'Search by name, email or transaction id', placeholder: 'Name, email or transaction id...' },
  filters,
  days: 'instant',
  sorts: platformTransactionSorts,
})

export const transactionRoutes: Routes<typeof transactionSchemas> = {
  monitor: { method: 'GET', path: '/api/blockchain-transactions', access: 'transactions.view', readsMembers: true },
  figures: { method: 'GET', path: '/api/blockchain-transactions/figures', access: 'transactions.view' },
  list: { method: 'GET', path: '/api/transactions', access: 'transactions.view', readsMembers: true },
}
