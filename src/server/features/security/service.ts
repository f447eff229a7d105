export { listEvents, askEvents, askLogs, countCritical } from './lists.ts'
export { resolveEvent } from './resolve.ts'
