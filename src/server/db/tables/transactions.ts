import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { transactionStatuses, transactionTypes } from '#contract/transactions.ts'
import { createdAt, decimal, identity, instant, isAddress, isAmount, oneOf } from '#server/db/columns.ts'
import { members } from './members.ts'

const memberId = () =>
  text('member_id')
    .notNull()
    .references(() => members.id, { onDelete: 'cascade' })

/** Movements on a member's account with the platform. */
export const platformTransactions = pgTable(
  'platform_transactions',
  {
    id: text('id').primaryKey(),
    memberId: memberId(),
    type: text('type', { enum: transactionTypes }).notNull(),
    amount: decimal('amount').notNull(),
    status: text('status', { enum: transactionStatuses }).notNull(),
    createdAt: createdAt(),
  },
  (t) => [
    index('platform_transactions_walk').on(t.createdAt, t.id),
    index('platform_transactions_amount').on(t.amount, t.createdAt, t.id),
    index('platform_transactions_member').on(t.memberId, t.createdAt, t.id),
    /** Most are completed in the end: the others are few, and what an operator looks for. */
    index('platform_transactions_unsettled')
      .on(t.status, t.createdAt, t.id)
      .where(sql`status <> 'completed'`),
    check('platform_transactions_type_known', oneOf(t.type, transactionTypes)),
    check('platform_transactions_status_known', oneOf(t.status, transactionStatuses)),
    check('platform_transactions_amount_range', isAmount(t.amount)),
  ],
)

/**
 * Token transfers on the chain. A row may name a wallet or token that nobody has registered (yet), so neither is a
 * foreign key: it joins a member when that wallet comes. `isImported` rows give way to the indexer's own.
 */
export const chainTransactions = pgTable(
  'chain_transactions',
  {
    id: identity(),
    transactionHash: text('transaction_hash').notNull(),
    logIndex: integer('log_index').notNull(),
    walletAddress: text('wallet_address').notNull(),
    transactionType: text('transaction_type', { enum: transactionTypes }).notNull(),
    tokenAddress: text('token_address').notNull(),
    tokenSymbol: text('token_symbol'),
    projectName: text('project_name'),
    amount: decimal('amount').notNull(),
    status: text('status', { enum: transactionStatuses }).notNull(),
    isImported: boolean('is_imported').notNull(),
    createdAt: createdAt(),
    /** What the indexer read; null in imported rows. */
    chainId: integer('chain_id'),
    blockNumber: bigint('block_number', { mode: 'number' }),
    blockHash: text('block_hash'),
    fromAddress: text('from_address'),
    toAddress: text('to_address'),
    /** In the token's smallest unit. */
    amountRaw: decimal('amount_raw'),
  },
  (t) => [
    unique('chain_transactions_log').on(t.transactionHash, t.logIndex, t.walletAddress),
    index('chain_transactions_walk').on(t.createdAt, t.id),
    index('chain_transactions_type').on(t.transactionType, t.createdAt, t.id),
    index('chain_transactions_status').on(t.status, t.createdAt, t.id),
    index('chain_transactions_block')
      .on(t.chainId, t.blockNumber)
      .where(sql`block_number IS NOT NULL`),
    index('chain_transactions_token').on(t.tokenAddress, t.status, t.createdAt, t.id),
    index('chain_transactions_to')
      .on(t.toAddress, t.createdAt, t.id)
      .where(sql`to_address IS NOT NULL`),
    index('chain_transactions_wallet').on(t.walletAddress, t.createdAt, t.id),
    check('chain_transactions_hash_form', sql`${t.transactionHash} ~ '^0x[0-9a-f]{64}$'`),
    check('chain_transactions_wallet_form', isAddress(t.walletAddress)),
    check('chain_transactions_token_form', isAddress(t.tokenAddress)),
    check('chain_transactions_type_known', oneOf(t.transactionType, transactionTypes)),
    check('chain_transactions_status_known', oneOf(t.status, transactionStatuses)),
    // A token without decimals may move all that 256 bits count.
    check('chain_transactions_amount_range', sql`${t.amount} >= 0 AND ${t.amount} < 1e78 AND scale(${t.amount}) <= 18`),
  ],
)

/** Contracts whose token was registered or corrected, until their transfers have its labels. */
export const transferLabelsDue = pgTable('transfer_labels_due', {
  contractAddress: text('contract_address').primaryKey(),
  /** The transfers up to this id have them. */
  doneId: bigint('done_id', { mode: 'number' }).notNull().default(0),
  createdAt: createdAt(),
})

export const fractions = pgTable(
  'fractions',
  {
    id: text('id').primaryKey(),
    memberId: memberId(),
    projectName: text('project_name').notNull(),
    amount: decimal('amount').notNull(),
    tokenAddress: text('token_address').notNull(),
    receivedAt: instant('received_at').notNull(),
  },
  (t) => [
    index('fractions_member').on(t.memberId, t.receivedAt, t.id),
    check('fractions_token_form', isAddress(t.tokenAddress)),
    check('fractions_amount_range', isAmount(t.amount)),
  ],
)
