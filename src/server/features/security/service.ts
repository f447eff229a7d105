export { listEvents, buildEventList, buildLogList, countCritical } from './lists.ts'
export { resolveEvent } from './resolve.ts'
