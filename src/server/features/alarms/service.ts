export { sendAlarms, countFailingOutputs, readAlarms } from './send.ts'
