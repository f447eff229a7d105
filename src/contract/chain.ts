import * as z from 'zod/mini'
import { Address, Timestamp } from './common.ts'
import { route } from './route.ts'

/**
 * `off`: no chain. `starting`: nothing was read yet. `ok`: all is read up to the head. `behind`: still catching up.
 * `stalled`: nothing could be read for a while. `halted`: the chain contradicts what was read as final; a person must look.
 */
export const indexerStates = ['off', 'starting', 'ok', 'behind', 'stalled', 'halted'] as const
export type IndexerState = (typeof indexerStates)[number]

export const ChainHealth = z.object({
  mode: z.enum(['rpc', 'embedded', 'off']),
  /** `BNB Smart Chain`, `BSC testnet`, `Local chain`, or `Chain <id>`; null when off. */
  network: z.nullable(z.string()),
  chainId: z.nullable(z.int()),
  indexer: z.enum(indexerStates),
  /** Why it is stalled or halted, without any address of a node. */
  problem: z.nullable(z.string()),
  headBlock: z.nullable(z.int()),
  headAt: z.nullable(Timestamp),
  /** Transfers up to here are final and stored. */
  indexedBlock: z.nullable(z.int()),
  lagBlocks: z.nullable(z.int()),
  /** Between the newest block's time and that of the last block read, in seconds. */
  lagSeconds: z.nullable(z.int()),
  /** Wallets and tokens whose earlier transfers are still being read. */
  backfilling: z.int(),
  /** When the chain was last read, whichever server did it. */
  checkedAt: z.nullable(Timestamp),
  providers: z.array(
    z.object({ host: z.string(), isUp: z.boolean(), serves: z.enum(['balances', 'transfers', 'both']) }),
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

export const chainRoutes = {
  health: route({
    method: 'GET',
    path: '/api/chain/health',
    summary: 'How far the chain is read, and which nodes answer',
    reply: ChainHealth,
  }),
  contract: route({
    method: 'GET',
    path: '/api/chain/contracts/:address',
    summary: 'What a token contract says of itself; answers also while the chain is away',
    params: z.object({ address: Address }),
    reply: ContractCheck,
  }),
}
