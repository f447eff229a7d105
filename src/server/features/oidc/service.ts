export { deleteExpiredFlows } from './flows.ts'
export { unlinkProvider } from './identities.ts'
