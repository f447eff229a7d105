import * as z from 'zod/mini'
import { indexerStates, nodeProblems } from '#contract/chain.ts'
import { Address, Timestamp } from './common.ts'

export const ChainHealth = z.object({
  mode: z.enum(['rpc', 'embedded', 'off']),
  /** `BNB Smart Chain`, `BSC testnet`, `Local chain`, or `Chain <id>`; null when off. */
  network: z.nullable(z.string()),
  chainId: z.nullable(z.int()),
  indexer: z.enum(indexerStates),
  /** Why it is retrying, stalled or halted, without any address of a node. */
  problem: z.nullable(z.string()),
  headBlock: z.nullable(z.int()),
  headAt: z.nullable(Timestamp),
  /** Transfers up to here are final and stored. */
  indexedBlock: z.nullable(z.int()),
  lagBlocks: z.nullable(z.int()),
  /** How old the last block read for good is now; null where blocks come only when something is sent. */
  lagSeconds: z.nullable(z.int()),
  /** Pending transfers of blocks above the newest one: the chain is shorter than it was seen before. */
  pendingAboveHead: z.int(),
  /** Wallets and tokens whose earlier transfers are still being read; `mostBackfilling` + 1: more than that. */
  backfilling: z.int(),
  /** When the chain was last read, whichever server did it. */
  checkedAt: z.nullable(Timestamp),
  providers: z.array(
    z.object({
      host: z.string(),
      isUp: z.boolean(),
      /** What was wrong with its last answer; null when it is up. */
      problem: z.nullable(z.enum(nodeProblems)),
      serves: z.enum(['balances', 'transfers', 'both']),
    }),
  ),
})
export type ChainHealth = z.infer<typeof ChainHealth>

/** What a contract says of itself, beside what an operator typed. */
export const ContractCheck = z.object({
  state: z.enum(['read', 'no_contract', 'unreachable', 'off']),
  name: z.nullable(z.string()),
  symbol: z.nullable(z.string()),
  decimals: z.nullable(z.int()),
})
export type ContractCheck = z.infer<typeof ContractCheck>

export const chainSchemas = {
  health: { summary: 'How far the chain is read, and which nodes answer', reply: ChainHealth },
  contract: {
    summary: 'What a token contract says of itself; answers also while the chain is away',
    params: z.object({ address: Address }),
    reply: ContractCheck,
  },
}
