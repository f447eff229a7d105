import type { Note } from '#contract/schemas/notes.ts'
import type { ImportAttention, LineAge, LineAttention, StatementAttention } from '#contract/bank.ts'
import { linkOptions } from '@tanstack/react-router'
import type { ApprovalView } from '#contract/approvals.ts'
import type { Comparison, Period } from '#contract/analytics.ts'
import type { ExpiryWindow } from '#contract/orders.ts'
import type { SubmissionFilter } from '#contract/members.ts'
import type { TokenKind } from '#contract/token-kinds.ts'
import type { TransactionType } from '#contract/transactions.ts'

type ListParameters = { search?: string; status?: string; page?: number }

/** The tabs of KYC Management; the first stands without a parameter. */
export const kycTabs = ['submissions', 'verifications', 'step2', 'step3', 'step4'] as const
type KycTab = (typeof kycTabs)[number]

/** `review`: review mode on this verification, or on the `next` one that waits. `waiting`: for so many hours. */
type KycParameters = ListParameters & {
  tab?: KycTab
  review?: string
  undecided?: 'true'
  anotherLook?: 'true'
  waiting?: string
}

/** The tabs of KYC Webhooks; the first stands without a parameter. */
export const webhooksTabs = ['attempts', 'deliveries', 'endpoints'] as const

/** `deliveries`: the log of messages, of one kind and state. */
type WebhooksParameters = {
  unreached?: '24h'
  tab?: 'deliveries' | 'endpoints'
  kind?: 'event' | 'alert' | 'case'
  status?: 'success' | 'failed' | 'waiting'
  endpoint?: string
  search?: string
  peek?: string
}

/** Attempts of the members whom the dashboard counts as pending. */
export const undecidedKyc: KycParameters = { undecided: 'true' }

/** Where members wait for a decision. */
export const waitingKyc: KycParameters = { tab: 'verifications', status: 'pending' }

/** Waiting cases that were put aside for a colleague. */
export const waitingLooks: KycParameters = { tab: 'verifications', anotherLook: 'true' }

/** The tabs of a member's page, as the address bar names them. */
export const memberTabs = ['profile', 'kyc', 'wallets', 'transactions', 'fractions', 'history'] as const
export type MemberTab = (typeof memberTabs)[number]

/** The tabs of Transaction Monitoring; the first stands without a parameter. */
export const transactionTabs = ['chain', 'platform', 'treasury'] as const

/** `created` narrows the platform's transactions, `token`, `from` and `to` those on the chain, the others both. */
type TransactionsParameters = ListParameters & {
  tab?: 'platform' | 'treasury'
  type?: TransactionType
  created?: 'today'
  userId?: string
  token?: string
  from?: string
  to?: string
}

/** The tabs of Reconciliation; the work itself stands without a parameter. `line`: the one that is open. `age`: work that old. */
type BankParameters = ListParameters & {
  tab?: 'lines' | 'statements' | 'imports'
  account?: string
  line?: string
  age?: LineAge
  currency?: string
  attention?: LineAttention | StatementAttention | ImportAttention
}

/** The tabs of Security & Audit Logs; the first stands without a parameter. */
export const securityTabs = ['events', 'actions'] as const
type SecurityTab = (typeof securityTabs)[number]

/**
 * `resolved`: events that were resolved, `all` of them, or `each` that is not, without equal ones in a row. Of Admin Actions, `target` is
 * what something was done to, `from` and `to` are days, `upTo` the row that the list begins with, `altered` only rows that a verification marks.
 */
type SecurityParameters = ListParameters & {
  tab?: SecurityTab
  resolved?: 'each' | 'true' | 'all'
  from?: string
  to?: string
  target?: string
  upTo?: string
  altered?: 'true'
}

/** The tabs of Approvals; the first stands without a parameter. */
export const approvalTabs = ['requests', 'rules'] as const

/** `view`: whose requests. */
type ApprovalsParameters = { tab?: 'rules'; status?: string; page?: number; view?: ApprovalView }

/** Every address of the console, for `<Link {...paths.member(id)}>` and `navigate(paths.members())`. */
export const paths = {
  dashboard: (search: { period?: Period; compare?: Comparison } = {}) => linkOptions({ to: '/', search }),
  members: (search: ListParameters & { submission?: SubmissionFilter; from?: string; to?: string } = {}) =>
    linkOptions({ to: '/users', search }),
  member: (id: string, search: { tab?: MemberTab } = {}) => linkOptions({ to: '/users/$id', params: { id }, search }),
  orders: (search: ListParameters & { expiring?: ExpiryWindow; userId?: string } = {}) =>
    linkOptions({ to: '/orders', search }),
  bank: (search: BankParameters = {}) => linkOptions({ to: '/reconciliation', search }),
  order: (id: string) => linkOptions({ to: '/orders/$id', params: { id } }),
  /** `add`: with the dialog Add Token open. */
  tokens: (search: { tab?: TokenKind; add?: 'true' } = {}) => linkOptions({ to: '/tokens', search }),
  transactions: (search: TransactionsParameters = {}) => linkOptions({ to: '/transactions', search }),
  kyc: (search: KycParameters = {}) => linkOptions({ to: '/kyc', search }),
  kycWebhooks: (search: WebhooksParameters = {}) => linkOptions({ to: '/kyc-webhooks', search }),
  security: (search: SecurityParameters = {}) => linkOptions({ to: '/security', search }),
  operators: () => linkOptions({ to: '/operators' }),
  approvals: (search: ApprovalsParameters = {}) => linkOptions({ to: '/approvals', search }),
  approval: (id: string) => linkOptions({ to: '/approvals/$id', params: { id } }),
  bulk: (search: { view?: 'unseen' } = {}) => linkOptions({ to: '/bulk', search }),
  bulkJob: (id: string) => linkOptions({ to: '/bulk/$id', params: { id } }),
  account: () => linkOptions({ to: '/account' }),
}

/** Of what a note is on. */
export function pathOfNote({ userId, bankLineId, order }: Pick<Note, 'userId' | 'bankLineId' | 'order'>) {
  if (bankLineId !== null) return paths.bank({ line: bankLineId })
  return order ? paths.order(order.id) : paths.member(userId!)
}
