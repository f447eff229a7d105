export { saveWallets } from './save.ts'
export { deleteWallets } from './erase.ts'
