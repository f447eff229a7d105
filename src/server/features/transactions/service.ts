export { askChainTransactions, chainFigures, listChainTransactions } from './monitor.ts'
export { askPlatformTransactions, listPlatformTransactions } from './platform.ts'
export { relabelTransfers } from './relabel.ts'
