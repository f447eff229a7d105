export { buildTokenList } from './registry.ts'
export { checkTokens } from './chain-check.ts'
export { saveTokens } from './save.ts'
