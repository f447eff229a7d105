export { listEvents, buildEventList, buildLogList, countCritical, readOldestCritical } from './lists.ts'
export { eraseEventTexts, eventTexts, deleteDueSecurityEvents } from './erase.ts'
export { closeLowEvents, resolveEvent } from './resolve.ts'
export { numberEvents } from './number-events.ts'
