export { keepTreasuryFresh } from './treasury.ts'
export { addTreasuryWallet } from './wallets.ts'
