import type { Config } from '#server/core/config.ts'
import type { Services } from '#server/core/context.ts'

/** Blocks at this depth are final if a node does not know the `finalized` tag: the longest that BSC's may take. */
const depthWithoutTag = 240

export interface IndexerSettings {
  /** Blocks below the head that may still change, in addition to the `finalized` tag. */
  confirmations: number
  confirmationsWithoutTag: number
  pollMs: number
  /** Reading nothing for this long is a stall. */
  stallMs: number
}

const stallMs = 120_000

/** Fills in settings that depend on the chain. The console's own is final after two blocks and polled every second. */
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

/** Block 0 contains no transfers. */
export const startBlockOf = ({ indexer: { startBlock } }: Config) =>
  startBlock === undefined ? undefined : Math.max(1, startBlock)

/** Whether this server reads transfers from a chain. */
export const isIndexing = ({ config, chain }: Pick<Services, 'config' | 'chain'>) =>
  config.indexer.isOn && chain.mode !== 'off'
