export { countFailedAlerts, dropOldAlerts } from './alerts.ts'
export type { Channel, LeasedMessage, SendMessage } from './channel.ts'
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
export { closeCases, kycCases, queueCase, retryPauses, leaseCase } from './kyc-cases.ts'
export { buildMessageList } from './list.ts'
export { platformEvents, standardPauses } from './platform-events.ts'
export { releaseMessages } from './queue.ts'
export {
  findEarlier,
  findReceived,
  readFirstArrival,
  lockReceived,
  type ReceivedMessage,
  type ReceivedOutcome,
  recordReceived,
} from './received.ts'
export { readQueue } from './read-queue.ts'
export { recordTries } from './record-tries.ts'
export { resendSelection, resendEvent, resendMessages } from './resend.ts'
export { sendDue } from './send.ts'
export { signStoredMessages } from './sign-stored.ts'
export { testEndpoint, testEndpoints } from './test-events.ts'
export { eraseMessages } from './erase.ts'
export { deleteDueBodies, deleteDueMessages } from './retention.ts'
