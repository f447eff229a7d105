import * as z from 'zod/mini'
import { Amount, Timestamp, pageOf, pageQuery } from './common.ts'
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

export const transactionRoutes = {
  list: route({
    method: 'GET',
    path: '/api/transactions',
    summary: 'Platform transactions of all members, newest first',
    query: z.object(pageQuery),
    reply: pageOf('transactions', RecentTransaction),
  }),
}
