export { unlinkProvider } from './identities.ts'
