import * as z from 'zod/mini'
import { Amount, filter, Timestamp, pageOf, pageQuery, SearchText } from './common.ts'
import { MemberRef } from './kyc.ts'
import { route } from './route.ts'

export const transactionTypes = ['deposit', 'withdrawal', 'other'] as const
export const TransactionType = z.enum(transactionTypes)
export type TransactionType = z.infer<typeof TransactionType>

export const transactionStatuses = ['pending', 'completed', 'failed'] as const
export const TransactionStatus = z.enum(transactionStatuses)
export type TransactionStatus = z.infer<typeof TransactionStatus>

/** A movement on the member's account with the platform, in its currency. */
export const PlatformTransaction = z.object({
  id: z.string(),
  type: TransactionType,
  amount: Amount,
  status: TransactionStatus,
  createdAt: Timestamp,
})

export const RecentTransaction = z.object({ ...PlatformTransaction.shape, user: MemberRef })
export type RecentTransaction = z.infer<typeof RecentTransaction>

/** A transfer on the chain as a member's page shows it. */
export const ChainTransaction = z.object({
  id: z.string(),
  transactionHash: z.string(),
  tokenSymbol: z.nullable(z.string()),
  amount: Amount,
  projectName: z.nullable(z.string()),
  receivedAt: Timestamp,
})

export const Fraction = z.object({
  id: z.string(),
  projectName: z.string(),
  amount: Amount,
  tokenAddress: z.string(),
  receivedAt: Timestamp,
})

/** A transfer on the chain as Transaction Monitoring shows it. `type` repeats `transactionType`, as SPEC section 3 names both. */
export const MonitoredTransaction = z.object({
  id: z.string(),
  transactionHash: z.string(),
  transactionType: TransactionType,
  type: TransactionType,
  amount: Amount,
  tokenSymbol: z.nullable(z.string()),
  tokenAddress: z.string(),
  status: TransactionStatus,
  walletAddress: z.string(),
  /** The member whose wallet it is, where one has registered it. */
  userId: z.nullable(z.string()),
  createdAt: Timestamp,
})
export type MonitoredTransaction = z.infer<typeof MonitoredTransaction>

/**
 * Exact figures over the whole table (PRODUCT section 2). Volumes are of completed transfers, per token, largest first and
 * never added together (3.15); of more than 100 tokens the largest 100. A sum may have more digits than one amount.
 */
export const TransactionFigures = z.object({
  total: z.int(),
  completed: z.int(),
  pending: z.int(),
  failed: z.int(),
  volumes: z.array(z.object({ tokenAddress: z.string(), tokenSymbol: z.nullable(z.string()), volume: z.string() })),
  /** Tokens with a completed transfer, also those beyond `volumes`. */
  tokens: z.int(),
})
export type TransactionFigures = z.infer<typeof TransactionFigures>

/** `search`: a whole transaction hash or wallet address. */
export const TransactionsQuery = z.object({ ...pageQuery, status: filter(transactionStatuses), search: SearchText })
export type TransactionsQuery = z.infer<typeof TransactionsQuery>

export const transactionRoutes = {
  monitor: route({
    method: 'GET',
    path: '/api/blockchain-transactions',
    summary: 'Chain transactions, newest first',
    query: TransactionsQuery,
    reply: pageOf('transactions', MonitoredTransaction),
  }),
  figures: route({
    method: 'GET',
    path: '/api/blockchain-transactions/figures',
    summary: 'Counts by status and completed volume per token',
    reply: TransactionFigures,
  }),
  list: route({
    method: 'GET',
    path: '/api/transactions',
    summary: 'Platform transactions of all members, newest first',
    query: z.object(pageQuery),
    reply: pageOf('transactions', RecentTransaction),
  }),
}
