import { sql } from 'drizzle-orm'
import { bigint, boolean, check, index, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core'
import { identity, instant, isAddress } from '#server/db/columns.ts'

const block = (name: string) => bigint(name, { mode: 'number' })

/** How far each chain is read: what is up to `doneBlock` is final and stored, in the same transaction as this row. */
export const chainCursors = pgTable('chain_cursors', {
  chainId: integer('chain_id').primaryKey(),
  genesisHash: text('genesis_hash').notNull(),
  startBlock: block('start_block').notNull(),
  doneBlock: block('done_block').notNull(),
  doneHash: text('done_hash').notNull(),
  doneAt: instant('done_at'),
  headBlock: block('head_block'),
  headAt: instant('head_at'),
  /** Since when there was no newer head. */
  headMovedAt: instant('head_moved_at'),
  isHalted: boolean('is_halted').notNull().default(false),
  /** Why nothing is read, for the code; `problem` says it to people. */
  problemCode: text('problem_code'),
  problem: text('problem'),
  /** The last time that the head was read. */
  checkedAt: instant('checked_at'),
  /** Since when nothing could be read; null while all is well. */
  failingSince: instant('failing_since'),
  /** Deposits of earlier blocks are history, which the platform is not told. */
  depositsFrom: block('deposits_from'),
  /** When the last day was read once more. */
  rereadAt: instant('reread_at'),
  /** Counts the transactions that changed whose transfers are read. */
  coverageVersion: bigint('coverage_version', { mode: 'number' }).notNull().default(0),
  /** The id of the last wallet that `chain_coverage` has; null once it had all. Later ones are in `wallet_changes`. */
  walletsTakenTo: bigint('wallets_taken_to', { mode: 'number' }).default(0),
})

/** From which block on each token's and each wallet's transfers are still to be read: what came later is behind. */
export const chainCoverage = pgTable(
  'chain_coverage',
  {
    chainId: integer('chain_id').notNull(),
    kind: text('kind', { enum: ['token', 'wallet'] }).notNull(),
    address: text('address').notNull(),
    nextBlock: block('next_block').notNull(),
    /** What was final when it came is history too; null where the cursor alone says so. */
    depositsFrom: block('deposits_from'),
  },
  (t) => [
    primaryKey({ columns: [t.chainId, t.kind, t.address] }),
    /** Few are behind the cursor, of millions. */
    index('chain_coverage_behind')
      .on(t.chainId, t.nextBlock, t.kind)
      .where(sql`next_block <> 9007199254740991`),
    check('chain_coverage_kind_known', sql`${t.kind} IN ('token', 'wallet')`),
    check('chain_coverage_address_form', isAddress(t.address)),
  ],
)

/** Wallets that were registered or deleted and that no reader of the chain has taken in yet. A trigger of `wallets` writes them. */
export const walletChanges = pgTable('wallet_changes', { id: identity(), address: text('address').notNull() })
