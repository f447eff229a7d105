import type { ActivityKind } from '#contract/activity.ts'
import { eventTypeLabels } from '#contract/endpoints.ts'
import { kycSteps } from '#contract/kyc.ts'
import type { ActivityEntry } from '#contract/schemas/activity.ts'
import { formatMachineName } from '#web/lib/words.ts'

/** The options of the filter. */
export const kindLabels: Record<ActivityKind, string> = {
  notes: 'Notes',
  kyc: 'KYC',
  bans: 'Bans',
  orders: 'Orders',
  payments: 'Payments',
  transfers: 'Transfers',
  views: 'Views',
  messages: 'Messages',
  profile: 'Profile',
}

type Words = (entry: ActivityEntry) => string

const documentWords: Record<string, string> = { front: 'Document front', back: 'Document back', selfie: 'Selfie' }
const transactionWords: Record<string, string> = { deposit: 'Deposit', withdrawal: 'Withdrawal', other: 'Transaction' }
const transferWords: Record<string, string> = { deposit: 'Received', withdrawal: 'Sent', other: 'Transfer' }
const paymentWords: Record<string, string> = {
  hand: 'Payment by hand',
  order: 'Bank payment',
  refund: 'Refund due',
  reversal: 'Payment taken back by the bank',
  return: 'Refund returned by the bank',
}
const messageWords: Record<string, string> = { ...eventTypeLabels, 'kyc.submitted': 'KYC case' }

const withAttempt = (words: string): Words => {
  return ({ attemptNumber }) => (attemptNumber === null ? words : `${words}, attempt ${attemptNumber}`)
}
const nameMessage = ({ subject }: ActivityEntry) => messageWords[subject ?? ''] ?? formatMachineName(subject ?? '')

/** What happened, before order and amount. */
export const titles: Record<ActivityEntry['type'], Words> = {
  note: () => 'Note',
  kyc_step: (entry) => withAttempt(`${kycSteps[Number(entry.subject) - 1] ?? 'KYC step'} sent`)(entry),
  kyc_submitted: withAttempt('KYC submitted'),
  approve_kyc: withAttempt('KYC approved'),
  reject_kyc: withAttempt('KYC rejected'),
  reset_kyc: withAttempt('KYC reset'),
  ask_another_look: withAttempt('Another look needed'),
  end_another_look: withAttempt('Back in the review queue'),
  ban_user: () => 'Banned',
  unban_user: () => 'Unbanned',
  order_placed: () => 'Order placed',
  order_changed: () => 'Order changed',
  order_paid: ({ subject }) => (subject === 'hand' ? 'Order marked paid' : 'Order paid'),
  order_completed: () => 'Order completed',
  order_expired: () => 'Order expired',
  order_cancelled: () => 'Order cancelled',
  payment_applied: ({ subject }) => paymentWords[subject ?? ''] ?? 'Bank money',
  payment_undone: ({ subject }) => `${paymentWords[subject ?? ''] ?? 'Bank money'} undone`,
  wallet_added: () => 'Wallet registered',
  account_transaction: ({ subject }) => transactionWords[subject ?? ''] ?? 'Transaction',
  chain_transfer: ({ subject }) => transferWords[subject ?? ''] ?? 'Transfer',
  view_document: ({ subject }) => `${documentWords[subject ?? ''] ?? 'Document'} viewed`,
  view_member: ({ subject }) => (subject === '1' ? 'Viewed' : `Viewed ${subject} times`),
  message_sent: (entry) => `“${nameMessage(entry)}” to the ${entry.text === null ? 'KYC provider' : 'platform'}`,
  message_received: () => 'Result from the KYC provider',
  joined: () => 'Joined',
  update_member: () => 'Profile changed',
  place_legal_hold: () => 'Legal hold placed',
  lift_legal_hold: () => 'Legal hold lifted',
  erase_member: () => 'Personal data erased',
}

const stateWords: Record<string, string> = {
  pending: 'Pending',
  failed: 'Failed',
  waiting: 'Waiting to be sent',
  sending: 'Being sent',
  delivered: 'Delivered',
  dropped: 'Dropped',
  applied: 'Applied',
  recorded: 'Recorded',
  duplicate: 'Received before',
  refused: 'Refused',
}

const fieldWords: Record<string, string> = {
  legalFirstName: 'first name',
  legalLastName: 'last name',
  legalPhone: 'phone',
  investmentAmount: 'amount',
  swift: 'SWIFT',
  iban: 'IBAN',
  email: 'email',
}
const nameField = (field: string) =>
  fieldWords[field] ?? field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
const listFormat = new Intl.ListFormat('en-GB')

/** What else there is to say of it, under its title. */
export function describeEntry({ type, state, fields, text }: ActivityEntry): string | null {
  if (fields) {
    const list = listFormat.format(fields.map(nameField))
    return list.charAt(0).toUpperCase() + list.slice(1)
  }
  const words = state === null || state === 'completed' ? null : (stateWords[state] ?? formatMachineName(state))
  if (type === 'message_sent' && text !== null) return [words, text].filter(Boolean).join(' · ')
  return text ?? words
}
