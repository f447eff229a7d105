import type { Routes } from './route.ts'
import type { chainSchemas } from './schemas/chain.ts'

/**
 * `off`: no chain. `starting`: nothing is read yet. `ok`: read to the head. `behind`: catching up. `retrying`: the last
 * try failed. `stalled`: nothing was read for a while, or no node has had a new block. `halted`: the chain contradicts
 * final blocks, and a person must look.
 */
export const indexerStates = ['off', 'starting', 'ok', 'behind', 'retrying', 'stalled', 'halted'] as const
export type IndexerState = (typeof indexerStates)[number]

/** At most so many addresses whose earlier transfers are still being read are counted; one more: any number beyond. */
export const mostBackfilling = 10_000

/** Why a node is not used at the moment. */
export const nodeProblems = [
  'unavailable',
  'busy',
  'method_missing',
  'batch_refused',
  'refused',
  'timeout',
  'bad_response',
  'wrong_network',
  'stands_still',
  'logs_refused',
] as const
export type NodeProblem = (typeof nodeProblems)[number]

export const chainRoutes: Routes<typeof chainSchemas> = {
  health: { method: 'GET', path: '/api/chain/health', access: 'transactions.view' },
  contract: { method: 'GET', path: '/api/chain/contracts/:address', access: 'tokens.manage', timeoutSeconds: 60 },
}
