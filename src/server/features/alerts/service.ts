export { writeAlerts } from './write.ts'
