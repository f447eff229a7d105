import { bigint, check, integer, jsonb, pgTable, text, unique } from 'drizzle-orm/pg-core'
import { createdAt, identity, instant, isAddress, version } from '#server/db/columns.ts'

/** Wallets of the platform itself, as operators label them. */
export const treasuryWallets = pgTable(
  'treasury_wallets',
  {
    id: identity(),
    address: text('address').notNull(),
    label: text('label').notNull(),
    createdAt: createdAt(),
    createdBy: text('created_by').notNull(),
    version: version(),
  },
  (t) => [unique('treasury_wallets_address').on(t.address), check('treasury_wallets_form', isAddress(t.address))],
)

/** What a token's wallets held in one block; amounts in the smallest unit. */
export interface StoredHoldings {
  contractAddress: string
  tokenSymbol: string
  projectName: string
  decimals: number
  /** Null where `problem` says why. */
  members: string | null
  /** Members' wallets that hold any. */
  holders: number
  /** By address. */
  own: Record<string, string>
  supply: string | null
  problem: 'no_contract' | 'call_failed' | null
}

/** The last reading of each chain that succeeded, and the last that failed. */
export const treasuryReadings = pgTable('treasury_readings', {
  chainId: integer('chain_id').primaryKey(),
  blockNumber: bigint('block_number', { mode: 'number' }),
  blockAt: instant('block_at'),
  readAt: instant('read_at'),
  /** Members' wallets that were read. */
  wallets: integer('wallets'),
  tokens: jsonb('tokens').$type<StoredHoldings[]>(),
  /** Null once a reading has succeeded. */
  failedAt: instant('failed_at'),
  /** In a row. */
  failures: integer('failures').notNull().default(0),
  problem: text('problem'),
})
