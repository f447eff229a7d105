import type { Routes } from './route.ts'
import type { transactionSchemas } from './schemas/transactions.ts'

export const transactionTypes = ['deposit', 'withdrawal', 'other'] as const
export type TransactionType = (typeof transactionTypes)[number]

export const transactionStatuses = ['pending', 'completed', 'failed'] as const
export type TransactionStatus = (typeof transactionStatuses)[number]

export const transactionRoutes: Routes<typeof transactionSchemas> = {
  monitor: { method: 'GET', path: '/api/blockchain-transactions', access: 'transactions.view', readsMembers: true },
  figures: { method: 'GET', path: '/api/blockchain-transactions/figures', access: 'transactions.view' },
  list: { method: 'GET', path: '/api/transactions', access: 'transactions.view', readsMembers: true },
}
