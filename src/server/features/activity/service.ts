export { readMemberActivity, readOrderActivity } from './activity.ts'
