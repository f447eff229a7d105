import type { Config } from '#server/core/config.ts'
import { type ChainReader, createChainReader, createDisabledChain } from './chain.ts'
import { type RpcNodes, createRpcNodes } from './rpc-providers.ts'

/** Never 56, so that a local chain cannot be taken for BSC. */
export const embeddedChainId = 1337
/** The ids of local chains in development tools. They mine a block when a transaction is sent. */
const localChainIds = [1337, 31_337]

/** The chain that this console reads, and its nodes. */
export interface ChainAccess {
  mode: 'rpc' | 'embedded' | 'off'
  /** Why the chain is off, otherwise null. */
  whyOff: string | null
  chainId: number
  /** Reads balances and contracts. */
  reader: ChainReader
  /** The nodes of `reader`. */
  nodes: RpcNodes
  /** Nodes that answer `eth_getLogs`. Most public nodes for balances refuse it. */
  logNodes: RpcNodes
}

/** The URL of the chain that this console runs. Undefined while it is not running. */
export type FindChainUrl = () => Promise<string | undefined>

const describeOff = ({ chainMode }: Config) =>
  chainMode === 'off' ? 'The chain is switched off: CHAIN_MODE is off' : 'No chain is configured: set BSC_RPC_URLS'

/**
 * The chain of the settings (product 13.2). `auto` uses nodes if some are set, otherwise the console's own chain, if
 * `findEmbedded` is given, which is for demo data. `whyOff` is the message if there is no chain.
 */
export function createChainAccess(
  config: Config,
  findEmbedded?: FindChainUrl,
  whyOff = describeOff(config),
): ChainAccess {
  const { chainMode, bscRpcUrls, chain: settings } = config
  const wanted = chainMode === 'auto' ? (bscRpcUrls.length > 0 ? 'rpc' : 'embedded') : chainMode
  const mode = wanted === 'embedded' && !findEmbedded ? 'off' : wanted
  const chainId = mode === 'embedded' ? embeddedChainId : settings.chainId
  const { timeoutMs, deadlineMs, multicall3 } = settings
  const isMinedOnDemand = localChainIds.includes(chainId)
  const at = (urls: () => Promise<readonly string[]>) =>
    createRpcNodes({ urls, chainId, timeoutMs, deadlineMs, isMinedOnDemand })
  const own = async () => [(await findEmbedded?.()) ?? []].flat()
  const nodes = at(mode === 'embedded' ? own : async () => bscRpcUrls)
  const logNodes = at(mode === 'embedded' ? own : async () => settings.logsUrls)
  return {
    mode,
    whyOff: mode === 'off' ? whyOff : null,
    chainId,
    nodes,
    logNodes,
    reader: mode === 'off' ? createDisabledChain(whyOff) : createChainReader(nodes, multicall3),
  }
}
