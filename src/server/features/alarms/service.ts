export { sendAlarms } from './send.ts'
export { countFailingOutputs, readAlarms } from './state.ts'
