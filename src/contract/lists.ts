import { approvalActions, type ApprovalAction, approvalDesigns, approvalStateLabels } from './approvals.ts'
import {
  bankDirectionLabels,
  bankLineStateLabels,
  type ImportAttention,
  type LineAttention,
  type StatementAttention,
} from './bank.ts'
import { bulkItemStateLabels, bulkStateLabels } from './bulk.ts'
import { stepStatuses, submissionResults, verificationStatuses } from './kyc.ts'
import { type ReviewState, stateLabels } from './kyc-reviews.ts'
import { defineList, statusSelect } from './list.ts'
import { submissionLabels } from './members.ts'
import { messageStateLabels } from './messages.ts'
import { orderStatusLabels } from './order-moves.ts'
import { expiryLabels } from './orders.ts'
import { actionFamilies, severityLabels } from './security.ts'
import { createdSorts, lineSorts, orderSorts, platformTransactionSorts, submittedSorts } from './sorts.ts'
import { transactionStatusLabels, transactionTypeLabels } from './transactions.ts'

/** User Management (product 5.3). */
export const memberList = defineList({
  name: 'members',
  search: { label: 'Search by name or email', placeholder: 'Search by name or email...' },
  filters: {
    kycStatus: { labels: { completed: 'KYC Completed', pending: 'KYC Pending' } },
    kycBanned: { labels: { true: 'Banned', false: 'Active' } },
    /** By the outcome of the KYC that they submitted, as the dashboard counts it. */
    submission: { name: 'KYC', labels: submissionLabels, isChip: true },
  },
  days: 'instant',
  sorts: createdSorts,
})

/** Order Management (product 5.5). */
export const orderList = defineList({
  name: 'orders',
  search: { label: 'Search by user, project or order number', placeholder: 'User, project or order number...' },
  filters: {
    status: { name: 'Status', labels: orderStatusLabels, isSet: true, select: statusSelect },
    /** Only those that wait for payment and expire within a day, on the day after, or later. */
    expiring: { name: 'Expires', labels: expiryLabels, isChip: true },
    /** The member whose orders they are. */
    userId: { form: 'platformId' },
  },
  days: 'instant',
  amounts: 'currency',
  sorts: orderSorts,
})

const transactionFilters = {
  status: { name: 'Status', labels: transactionStatusLabels, isSet: true, select: statusSelect },
  type: { name: 'Type', labels: transactionTypeLabels, isSet: true },
  /** The member whose they are, on either side of a transfer. */
  userId: { form: 'platformId' },
} as const

/** Transfers on the chain. */
export const chainTransactionList = defineList({
  name: 'chainTransactions',
  search: { label: 'Transaction hash or wallet address', placeholder: 'Transaction hash or wallet address...' },
  filters: { ...transactionFilters, tokenAddress: { form: 'address', parameter: 'token' } },
  days: 'instant',
  sorts: createdSorts,
})

/** Movements on the members' accounts. */
export const platformTransactionList = defineList({
  name: 'platformTransactions',
  search: { label: 'Search by name, email or transaction id', placeholder: 'Name, email or transaction id...' },
  filters: transactionFilters,
  days: 'instant',
  amounts: 'plain',
  sorts: platformTransactionSorts,
})

/** A status filter with these values, in their order. */
function statusFilter<const Value extends ReviewState>(values: readonly Value[]) {
  const labels = Object.fromEntries(values.map((value) => [value, stateLabels[value]]))
  // Object.fromEntries only knows that the names are strings.
  return { name: 'Status', labels: labels as Record<Value, string>, isSet: true, select: statusSelect } as const
}

const attempts = {
  search: { label: 'Search by email or name', placeholder: 'Search by email or name...' },
  sorts: submittedSorts,
} as const

/** What attempts are judged on (product 5.9). */
export const verificationList = defineList({
  name: 'verifications',
  ...attempts,
  filters: {
    status: statusFilter(verificationStatuses),
    /** Waiting cases that were put aside for a colleague. */
    anotherLook: { labels: { true: 'Another look' } },
    /** Pending ones that have waited for so many hours, from one to less than the other. */
    waiting: { form: 'hours' },
  },
})

/** Every submitted attempt (product 5.9). */
export const submissionList = defineList({
  name: 'submissions',
  ...attempts,
  filters: {
    status: statusFilter(submissionResults),
    /** The latest attempt of each member who is neither approved nor rejected. */
    undecided: { name: 'Member', labels: { true: 'Neither approved nor rejected' }, isChip: true },
  },
})

/** One step of every attempt (product 5.9, Step 2 to 4 History). */
export const kycStepList = defineList({
  name: 'kycSteps',
  ...attempts,
  filters: { status: statusFilter(stepStatuses) },
})

// Object.fromEntries only knows that the names are strings.
const actionLabels = Object.fromEntries(
  approvalActions.map((action) => [action, approvalDesigns[action].label]),
) as Record<ApprovalAction, string>

/** Requests for approval (product 5.16). */
export const approvalList = defineList({
  name: 'approvals',
  filters: {
    state: { labels: approvalStateLabels, parameter: 'status' },
    /**
     * `others`: what others have requested, and the admin may approve. `own`: what the admin has requested. `answered`: of that,
     * what was decided or has expired, and was not opened since.
     */
    view: {
      labels: { others: 'For me to decide', own: 'My requests', answered: 'Mine, not seen yet' },
      name: 'Requests',
      isChip: true,
    },
    action: { name: 'Action', labels: actionLabels },
  },
})

const lineAttentionLabels: Record<LineAttention, string> = {
  overdue: 'Waiting for more than two days',
  ended_order: 'Money on orders that have ended',
  taken_back: 'Taken back after completion',
  refund_due: 'Refunds due',
}

/** The lines of one account, or of all. Without a sort, work is the oldest first and everything else the newest. */
export const bankLineList = defineList({
  name: 'bankLines',
  /** Payer's name or account, a reference, a remittance text, an amount. */
  search: { label: 'Search by payer, text, reference or amount', placeholder: 'Payer, text, reference, amount...' },
  filters: {
    accountId: { form: 'rowId' },
    state: { labels: bankLineStateLabels, parameter: 'status' },
    direction: { labels: bankDirectionLabels },
    attention: { labels: lineAttentionLabels, isChip: true },
  },
  /** Booked from this day on, and up to that one; of lines that are not booked, the value day. */
  days: 'date',
  sorts: lineSorts,
})

export const bankStatementList = defineList({
  name: 'bankStatements',
  filters: {
    accountId: { form: 'rowId' },
    attention: {
      labels: { difference: 'With a difference', gap: 'The one before is missing' } satisfies Record<
        StatementAttention,
        string
      >,
      isChip: true,
    },
  },
})

export const bankImportList = defineList({
  name: 'bankImports',
  filters: {
    accountId: { form: 'rowId' },
    attention: {
      labels: { unreadable: 'With parts that were not read' } satisfies Record<ImportAttention, string>,
      isChip: true,
    },
  },
})

const { sending: _asWaiting, ...shownLabels } = messageStateLabels

/** Every message to the platform, to the KYC provider and from it, and to operators. `sending` is `waiting` there. */
export const messageList = defineList({
  name: 'messages',
  /** A member's id, an order's number, a token's address or a message's id, whole. */
  search: { label: 'Search by whole id', placeholder: 'Member, order, token or message id...' },
  filters: {
    state: {
      name: 'State',
      labels: shownLabels,
      isSet: true,
      select: { label: 'State filter', all: 'All States' },
      parameter: 'status',
    },
    kind: {
      name: 'Messages',
      isSet: true,
      isChip: true,
      labels: {
        event: 'Events to the platform',
        case: 'Cases to the KYC provider',
        result: 'Results from the KYC provider',
        alert: 'Alerts to operators',
      },
    },
    /** The id of one of the platform's endpoints. */
    endpoint: { form: 'rowId' },
  },
  days: 'instant',
  sorts: createdSorts,
})

// Object.entries only knows that the names are strings.
const familyLabels = Object.fromEntries(
  Object.entries(actionFamilies).map(([name, { label }]) => [name, label]),
) as Record<keyof typeof actionFamilies, string>

/** Security events (product 5.12). */
export const securityEventList = defineList({
  name: 'securityEvents',
  filters: {
    severity: {
      name: 'Severity',
      labels: severityLabels,
      isSet: true,
      select: { label: 'Severity filter', all: 'All Severities' },
      parameter: 'status',
    },
    resolved: { labels: { true: 'Resolved', false: 'Unresolved' } },
    /** Of unresolved events of one type, severity and description only the newest, with how many they are. */
    together: { labels: { true: 'Equal ones together' } },
  },
  days: 'instant',
  sorts: createdSorts,
})

/** What operators did (product 5.12). */
export const adminLogList = defineList({
  name: 'adminLogs',
  search: { label: 'Search by admin', placeholder: 'Exact username...' },
  filters: {
    /** A family. A call may also name one action; without either all but platform calls, which would drown the rest. */
    action: {
      name: 'Action',
      labels: familyLabels,
      select: { label: 'Action filter', all: 'All Actions' },
      parameter: 'status',
    },
    /**
     * What it was done to: the number of an order, with the bank lines that pay it, a member's id, membership id or e-mail, or the
     * id of anything else.
     */
    target: { form: 'text' },
    /** The list begins with this row, whatever is newer. */
    upTo: { form: 'rowId' },
    /** Only rows that show a fault of the last verification. */
    altered: { labels: { true: 'Altered' } },
  },
  days: 'instant',
  sorts: createdSorts,
})

const { prepared: _unlisted, ...listedStates } = bulkStateLabels

/** Bulk jobs: the own ones, and those of others for who manages operators (product 5.18). */
export const bulkJobList = defineList({
  name: 'bulkJobs',
  filters: {
    state: { labels: listedStates, select: { label: 'State filter', all: 'All States' }, parameter: 'status' },
    /**
     * `own`: of the admin. `unseen`: of the admin, ended with rows that were not done, and not looked at since.
     * `current`: of the admin, and either running or ended in this session and not looked at since.
     */
    view: {
      labels: { own: 'My jobs', unseen: 'Mine, not seen yet', current: 'Mine, running or just ended' },
      name: 'Jobs',
      isChip: true,
    },
  },
})

/** The rows of one job. */
export const bulkItemList = defineList({
  name: 'bulkItems',
  filters: { state: { labels: bulkItemStateLabels, parameter: 'status' } },
})
