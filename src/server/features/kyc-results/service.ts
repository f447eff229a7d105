/** What others may use of KYC results. */
export { requireProvider } from './count-refusals.ts'
export { resultProviders } from './providers/registry.ts'
export { ownSource, receiveResult, takeResult } from './receive.ts'
