import type { Config } from '#server/core/config.ts'
import { type ChainReader, createChainReader, createDisabledChain } from './chain.ts'
import { type RpcNodes, createRpcNodes } from './rpc-providers.ts'

/** Never 56: what happens on a local chain must not pass for BSC. */
export const embeddedChainId = 1337
/** Local chains, as development tools number them: they make a block when something is sent. */
const localChainIds = [1337, 31_337]

/** The chain that this console reads, and by which nodes. */
export interface ChainAccess {
  mode: 'rpc' | 'embedded' | 'off'
  /** Why it is off; null otherwise. */
  whyOff: string | null
  chainId: number
  /** What wallets and contracts hold and say. */
  reader: ChainReader
  /** Nodes that answer what `reader` asks. */
  nodes: RpcNodes
  /** Nodes that answer `eth_getLogs`: public ones for balances mostly refuse it. */
  logNodes: RpcNodes
}

/** Where the chain that this console runs itself listens; nowhere while it is not up. */
export type FindChainUrl = () => Promise<string | undefined>

const describeOff = ({ chainMode }: Config) =>
  chainMode === 'off' ? 'The chain is switched off: CHAIN_MODE is off' : 'No chain is configured: set BSC_RPC_URLS'

/**
 * The chain by the settings (product 13.2). `auto`: by nodes where some are set; else this console's own chain, and
 * only where `findEmbedded` is given, which is for a database of demo data. `whyOff` is told where there is none.
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
