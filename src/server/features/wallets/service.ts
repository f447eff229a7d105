export { saveWallets } from './save.ts'
