import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { longestWalletLabel } from '#contract/treasury.ts'
import { Address, filled, RowId, Timestamp } from './common.ts'

/** A wallet of the platform itself. */
export const TreasuryWallet = z.object({
  id: z.string(),
  address: z.string(),
  label: z.string(),
  /** The member who registered the same wallet, which then counts on both sides. */
  memberId: z.nullable(z.string()),
  createdAt: Timestamp,
  createdBy: z.string(),
  version: z.int(),
})
export type TreasuryWallet = z.infer<typeof TreasuryWallet>

/** Amounts are exact decimal strings. What could not be read is null and has a problem, never a made-up zero. */
export const TreasuryToken = z.object({
  contractAddress: z.string(),
  tokenSymbol: z.string(),
  projectName: z.string(),
  /** The sum of all members' wallets. */
  members: z.nullable(z.string()),
  /** Members' wallets that hold any. */
  holders: z.nullable(z.int()),
  /** The sum of the own wallets that were read. */
  own: z.nullable(z.string()),
  ownWallets: z.array(z.object({ address: z.string(), balance: z.string() })),
  /** Null also of a contract that does not say it. */
  supply: z.nullable(z.string()),
  /** Percent of the supply, two decimals, rounded down. */
  membersShare: z.nullable(z.string()),
  ownShare: z.nullable(z.string()),
  problem: z.nullable(z.enum(['no_contract', 'call_failed'])),
})
export type TreasuryToken = z.infer<typeof TreasuryToken>

export const Treasury = z.object({
  isChainOn: z.boolean(),
  /** The last reading that succeeded; all its figures are of one block. */
  reading: z.nullable(
    z.object({
      blockNumber: z.int(),
      blockAt: Timestamp,
      readAt: Timestamp,
      /** Members' wallets that were read. */
      wallets: z.int(),
      tokens: z.array(TreasuryToken),
    }),
  ),
  /** Why the last try failed, if it did: what is shown is older. */
  failure: z.nullable(z.object({ problem: z.string(), at: Timestamp })),
  wallets: z.array(TreasuryWallet),
})
export type Treasury = z.infer<typeof Treasury>

const label = filled(longestWalletLabel)
const ById = z.object({ id: RowId })
export const NewTreasuryWallet = z.strictObject({ address: Address, label })
export type NewTreasuryWallet = z.infer<typeof NewTreasuryWallet>

const PutReply = z.object({ message: z.string(), wallet: TreasuryWallet })

export const treasurySchemas = {
  read: { summary: 'What members and the platform hold of each token, all of one block', reply: Treasury },
  refresh: { summary: 'Reads the holdings from the chain now', reply: Treasury },
  addWallet: {
    summary: "Labels a wallet as one of the platform's own",
    body: NewTreasuryWallet,
    reply: PutReply,
    refuses: ['treasury_wallet_taken', 'treasury_wallet_limit', 'wallet_taken'],
  },
  updateWallet: {
    summary: 'Changes the label of an own wallet',
    params: ById,
    body: z.strictObject({ label }),
    reply: PutReply,
  },
  removeWallet: {
    summary: 'Removes an own wallet and its label',
    params: ById,
    reply: z.object({ message: z.string() }),
  },
} satisfies Record<string, RouteSchemas>
