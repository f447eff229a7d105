export { disableOperator, enableOperator, followRole } from './change.ts'
export { acceptByProvider, addOperator, invitationPath, operatorsLock } from './invitations.ts'
