export { saveWallets, deleteWallets } from './save.ts'
