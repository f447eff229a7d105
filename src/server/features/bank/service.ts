export { countLinesWith, countStatementsWith } from './attention.ts'
export { buildLineList } from './lines.ts'
export { sumUnreconciled } from './unreconciled.ts'
