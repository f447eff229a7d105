export { buildLineList } from './lines.ts'
