export { askWebhookLogs, countUnreached } from './logs.ts'
