export { buildWebhookLogList, countUnreached } from './logs.ts'
