export { disableOperator, enableOperator } from './change.ts'
