import * as z from 'zod/mini'
import { transactionStatuses, transactionTypes } from '#contract/transactions.ts'
import { chainTransactionList, platformTransactionList } from '#contract/lists.ts'
import { Amount, filter, pageOf, listQuery, Timestamp } from './common.ts'
import { MemberRef } from './kyc.ts'

export const TransactionType = z.enum(transactionTypes)

export const TransactionStatus = z.enum(transactionStatuses)

/** A movement on the member's account with the platform, in its currency. */
export const PlatformTransaction = z.object({
  id: z.string(),
  type: TransactionType,
  amount: Amount,
  status: TransactionStatus,
  createdAt: Timestamp,
})

/** A movement with whose it is. */
export const ListedTransaction = z.object({ ...PlatformTransaction.shape, user: MemberRef })
export type ListedTransaction = z.infer<typeof ListedTransaction>

/** What a chain can move: a token without decimals up to 2^256 - 1. */
const ChainAmount = z.string().check(z.regex(/^\d{1,78}(\.\d{1,18})?$/))

/** A transfer on the chain as a member's page shows it. */
export const ChainTransaction = z.object({
  id: z.string(),
  transactionHash: z.string(),
  tokenSymbol: z.nullable(z.string()),
  amount: ChainAmount,
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

/** The other side of a transfer: a member's wallet, one of the platform's own by its label, or neither. */
const Counterparty = z.object({ address: z.string(), user: z.nullable(MemberRef), label: z.nullable(z.string()) })

/** A transfer on the chain as Transaction Monitoring shows it. `type` repeats `transactionType` (product 6.6). */
export const MonitoredTransaction = z.object({
  id: z.string(),
  transactionHash: z.string(),
  logIndex: z.int(),
  /** Null for an imported transfer that the chain was not read for. */
  blockNumber: z.nullable(z.int()),
  transactionType: TransactionType,
  type: TransactionType,
  amount: ChainAmount,
  tokenSymbol: z.nullable(z.string()),
  tokenAddress: z.string(),
  status: TransactionStatus,
  walletAddress: z.string(),
  /** The member whose wallet it is, where one has registered it. */
  userId: z.nullable(z.string()),
  user: z.nullable(MemberRef),
  /** Null for an imported transfer, of which one side alone is known. */
  counterparty: z.nullable(Counterparty),
  createdAt: Timestamp,
})
export type MonitoredTransaction = z.infer<typeof MonitoredTransaction>

/**
 * Exact figures over the whole table (product 5.2). Volumes are of completed transfers, per token, largest first and
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

/**
 * `search`: a whole transaction hash or wallet address. `userId`: the member on either side. `from` and `to` are days
 * of `timeZone`, both included.
 */
export const TransactionsQuery = z.object(listQuery(chainTransactionList))
export type TransactionsQuery = z.infer<typeof TransactionsQuery>

/** `search`: part of the member's name or e-mail, or a whole id. `created=today` is counted in `timeZone`. */
export const PlatformTransactionsQuery = z.object({ ...listQuery(platformTransactionList), created: filter(['today']) })
export type PlatformTransactionsQuery = z.infer<typeof PlatformTransactionsQuery>

export const transactionSchemas = {
  monitor: {
    summary: 'Chain transactions, newest first',
    query: TransactionsQuery,
    reply: pageOf('transactions', MonitoredTransaction),
  },
  figures: { summary: 'Counts by status and completed volume per token', reply: TransactionFigures },
  list: {
    summary: 'Platform transactions of all members, newest first',
    query: PlatformTransactionsQuery,
    reply: pageOf('transactions', ListedTransaction),
  },
}
