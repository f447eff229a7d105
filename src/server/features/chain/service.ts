export { countUnread } from './health.ts'
export { indexTransfers } from './index-transfers.ts'
export { indexerSettings } from './settings.ts'
