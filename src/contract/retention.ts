import { listKeys } from './states.ts'

/** What is deleted some days after it was last needed, if a rule says so (product 7.14), and what the days are counted from. */
export const retentionLabels = {
  approved_pictures: 'Pictures of approved members, from the approval',
  rejected_pictures: 'Pictures of rejected members, from the rejection',
  message_bodies: 'Bodies of answers and of results of the KYC provider, from the last try',
  messages:
    'Delivered events and alerts with their tries, and results that were refused or came twice, from the delivery',
  security_events: 'Resolved security events, from the resolution',
  reads: 'Which operator read whose data, from the read',
  known_devices: 'Devices and addresses that operators signed in from, from the last time',
}
export const retentionKinds = listKeys(retentionLabels)
export type RetentionKind = (typeof retentionKinds)[number]

/** Kinds of which nobody needs more for ever: what is kept without a rule, and what a rule may not go below. */
export const alwaysDeleted: Partial<Record<RetentionKind, { days: number; least: number }>> = {
  reads: { days: 366, least: 366 },
  known_devices: { days: 180, least: 1 },
}

/** A hundred years. */
export const maxRetentionDays = 36_500

export const maxHoldReason = 500
