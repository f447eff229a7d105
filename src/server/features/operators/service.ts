export { disableOperator, enableOperator, followRole, resetFactors } from './change.ts'
export { acceptByProvider, addOperator, invitationPath, operatorsLock } from './invitations.ts'
export { listOperatorAccess, type OperatorAccess } from './access.ts'
