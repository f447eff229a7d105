export { listEvents, buildEventList, buildLogList, countCritical } from './lists.ts'
export { eraseEventTexts } from './erase.ts'
export { resolveEvent } from './resolve.ts'
export { numberEvents } from './number-events.ts'
