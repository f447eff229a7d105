import type { NoticeKind } from './notices.ts'

/** What a notice says behind its count, and the list that shows the same count. */
interface NoticeWords {
  /** Singular and plural. */
  words: readonly [one: string, more: string]
  /** Where it leads, in the sidebar's words. */
  where: string
  /** The address of that list: its screen, and its filters. */
  to: string
  search: Readonly<Record<string, string>>
}

/** The words of a notice, for the bell and for alerts alike (product 3.6). Apart from `notices.ts`, which the first screen loads. */
export const noticeWords = {
  critical_events: {
    words: ['unresolved critical event', 'unresolved critical events'],
    where: 'Security Logs',
    to: '/security',
    search: { status: 'critical' },
  },
  waiting_approvals: {
    words: ['approval waits for you', 'approvals wait for you'],
    where: 'Approvals, for me to decide',
    to: '/approvals',
    search: { view: 'others' },
  },
  answered_requests: {
    words: ['request of yours was decided or has expired', 'requests of yours were decided or have expired'],
    where: 'Approvals, not seen yet',
    to: '/approvals',
    search: { view: 'answered' },
  },
  unfinished_bulk: {
    words: ['bulk job of yours left rows undone', 'bulk jobs of yours left rows undone'],
    where: 'Bulk Jobs, not seen yet',
    to: '/bulk',
    search: { view: 'unseen' },
  },
  alarms_failing: {
    words: ['output of alarms fails', 'outputs of alarms fail'],
    where: 'Security Logs, alarms',
    to: '/security',
    search: {},
  },
  failed_submissions: {
    words: ['KYC submission failed to reach the provider', 'KYC submissions failed to reach the provider'],
    where: 'KYC Webhooks, the last 24 hours',
    to: '/kyc-webhooks',
    search: { unreached: '24h' },
  },
  failed_events: {
    words: ['event was not delivered to the platform', 'events were not delivered to the platform'],
    where: 'Deliveries, failed events',
    to: '/kyc-webhooks',
    search: { tab: 'deliveries', kind: 'event', status: 'failed' },
  },
  failed_alerts: {
    words: ['alert did not reach its operator', 'alerts did not reach their operators'],
    where: 'Deliveries, failed alerts',
    to: '/kyc-webhooks',
    search: { tab: 'deliveries', kind: 'alert', status: 'failed' },
  },
  another_looks: {
    words: ['case needs another look', 'cases need another look'],
    where: 'KYC Reviews, another look',
    to: '/kyc',
    search: { tab: 'verifications', anotherLook: 'true' },
  },
  expiring_orders: {
    words: ['order expires within 24 hours', 'orders expire within 24 hours'],
    where: 'Orders, waiting for payment',
    to: '/orders',
    search: { expiring: '24h' },
  },
  overdue_lines: {
    words: ['bank line has waited for more than two days', 'bank lines have waited for more than two days'],
    where: 'Reconciliation, overdue lines',
    to: '/reconciliation',
    search: { tab: 'lines', attention: 'overdue' },
  },
  ended_orders_paid: {
    words: ['payment is on an order that has ended', 'payments are on orders that have ended'],
    where: 'Reconciliation, money on ended orders',
    to: '/reconciliation',
    search: { tab: 'lines', attention: 'ended_order' },
  },
  payments_taken_back: {
    words: [
      'payment was taken back after its order was completed',
      'payments were taken back after their orders were completed',
    ],
    where: 'Reconciliation, taken back after completion',
    to: '/reconciliation',
    search: { tab: 'lines', attention: 'taken_back' },
  },
  refunds_due: {
    words: ['payment is to be paid back', 'payments are to be paid back'],
    where: 'Reconciliation, refunds due',
    to: '/reconciliation',
    search: { tab: 'lines', attention: 'refund_due' },
  },
  statement_differences: {
    words: ['bank statement does not add up', 'bank statements do not add up'],
    where: 'Reconciliation, statements',
    to: '/reconciliation',
    search: { tab: 'statements', attention: 'difference' },
  },
  statement_gaps: {
    words: ['bank statement is missing', 'bank statements are missing'],
    where: 'Reconciliation, statements',
    to: '/reconciliation',
    search: { tab: 'statements', attention: 'gap' },
  },
  unreadable_imports: {
    words: ['bank file could not be read whole', 'bank files could not be read whole'],
    where: 'Reconciliation, imports',
    to: '/reconciliation',
    search: { tab: 'imports', attention: 'unreadable' },
  },
  chain_unread: {
    words: ['chain is not being read', 'chains are not being read'],
    where: 'Transactions, state of the chain',
    to: '/transactions',
    search: {},
  },
} as const satisfies Record<NoticeKind, NoticeWords>

/** `3 orders expire within 24 hours`. */
export function describeNotice(kind: NoticeKind, count: number): string {
  const [one, more] = noticeWords[kind].words
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : more}`
}
