import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'

/** How deep a block must lie where a node does not know the `finalized` tag: the longest that finality of BSC may take. */
const depthWithoutTag = 240

export interface IndexerSettings {
  /** Blocks below the head that may still change, beside what the `finalized` tag says. */
  confirmations: number
  confirmationsWithoutTag: number
  pollMs: number
  /** Nothing read for this long is a stall. */
  stallMs: number
}

const stallMs = 120_000

/** What the settings leave open depends on the chain: the console's own is final two blocks deep, and asked every second. */
export function resolveIndexerSettings({ config, chain }: Pick<Services, 'config' | 'chain'>): IndexerSettings {
  const isOwn = chain.mode === 'embedded'
  const confirmations = config.indexer.confirmations ?? (isOwn ? 2 : 15)
  const pollMs = config.indexer.pollMs ?? (isOwn ? 1000 : 15_000)
  return {
    confirmations,
    confirmationsWithoutTag: isOwn ? confirmations : Math.max(confirmations, depthWithoutTag),
    pollMs,
    stallMs: Math.max(stallMs, 3 * pollMs),
  }
}

/** Nothing has ever been transferred in block 0. */
export const startBlockOf = ({ indexer: { startBlock } }: Config) =>
  startBlock === undefined ? undefined : Math.max(1, startBlock)

/** Whether this server reads transfers from a chain. */
export const isIndexing = ({ config, chain }: Pick<Services, 'config' | 'chain'>) =>
  config.indexer.isOn && chain.mode !== 'off'
