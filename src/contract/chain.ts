import type { Routes } from './route.ts'
import type { chainSchemas } from './schemas/chain.ts'

/**
 * `off`: no chain. `starting`: nothing was read yet. `ok`: all is read up to the head. `behind`: still catching up.
 * `retrying`: the last try failed. `stalled`: nothing could be read for a while, or no node has had a new block.
 * `halted`: the chain contradicts what was read as final; a person must look.
 */
export const indexerStates = ['off', 'starting', 'ok', 'behind', 'retrying', 'stalled', 'halted'] as const
export type IndexerState = (typeof indexerStates)[number]

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
  health: {
    method: 'GET',
    path: '/api/chain/health',
    access: 'transactions.view',
  },
  contract: {
    method: 'GET',
    path: '/api/chain/contracts/:address',
    access: 'tokens.manage',
    timeoutSeconds: 60,
  },
}
