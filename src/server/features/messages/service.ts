export type { Channel, HeldMessage, Send } from './channel.ts'
export { channels } from './channels.ts'
export {
  createEndpoint,
  deleteEndpoint,
  endOldSecret,
  resumeEndpoint,
  rotateSecret,
  updateEndpoint,
} from './endpoint-changes.ts'
export { countFailedEvents, eventEndpoint, readEndpoints } from './endpoints.ts'
export { closeCases, kycCases, queueCase, retryPauses, takeCase } from './kyc-cases.ts'
export { askDeliveries } from './list.ts'
export { platformEvents, standardPauses } from './platform-events.ts'
export { release } from './queue.ts'
export {
  findEarlier,
  findReceived,
  firstSeen,
  lockReceived,
  type Received,
  type ReceivedOutcome,
  recordReceived,
} from './received.ts'
export { recordTries } from './record.ts'
export { resendEvent, resendMessages } from './resend.ts'
export { sendDue } from './send.ts'
export { testEndpoint, testEndpoints } from './test-events.ts'
