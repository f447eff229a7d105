import { listKeys } from './states.ts'

/** What is deleted some days after it was last needed, if a rule says so (product 7.14). */
/** What the days are counted from, in words. */
export const retentionLabels = {
  approved_pictures: 'Pictures of approved members, from the approval',
  rejected_pictures: 'Pictures of rejected members, from the rejection',
  message_bodies: 'Bodies of answers and of results of the KYC provider, from the last try',
  messages:
    'Delivered events and alerts with their tries, and results that were refused or came twice, from the delivery',
  security_events: 'Resolved security events, from the resolution',
}
export const retentionKinds = listKeys(retentionLabels)
export type RetentionKind = (typeof retentionKinds)[number]

/** A hundred years. */
export const maxRetentionDays = 36_500

export const maxHoldReason = 500
