export { countUnreadChain } from './health.ts'
export { indexTransfers } from './index-transfers.ts'
export { resolveIndexerSettings } from './indexer-settings.ts'
