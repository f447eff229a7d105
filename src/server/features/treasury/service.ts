export { keepTreasuryFresh } from './treasury.ts'
