import { periods } from '#contract/analytics.ts'
import type { Analytics, Registrations } from '#contract/schemas/analytics.ts'
import { kycWords } from '#contract/kyc.ts'
import type { ListedTransaction } from '#contract/schemas/transactions.ts'
import { displayName } from '#contract/members.ts'
import type { Member } from '#contract/schemas/members.ts'
import type { CsvCell } from '#server/http/csv.ts'

interface Report {
  now: string
  timeZone: string
  figures: Analytics
  registrations: Registrations[]
  users: Member[]
  transactions: ListedTransaction[]
}

/** The first column of every row names its section, so that a spreadsheet can filter by it. */
const section = (name: string, head: string[], rows: CsvCell[][]): CsvCell[][] =>
  [head, ...rows].map((row) => [name, ...row])

const figureRows = ({ figures, now, timeZone }: Report): CsvCell[][] => [
  ['Generated at', now],
  ['Time zone', timeZone],
  ['Total Users', figures.totalUsers],
  ['New users in the last 7 days', figures.newUsersLast7Days],
  ['Pending KYC', figures.pendingKyc],
  ['Oldest pending KYC submitted at', figures.oldestPendingKyc],
  ['Active Tokens', figures.activeTokens],
  ['Active earning tokens', figures.tokens.activeEarning],
  ['Active fractions tokens', figures.tokens.activeFractions],
  ['Tokens in all', figures.tokens.total],
  ["Today's Transactions", figures.todayTransactions],
  ["Yesterday's transactions by this time", figures.yesterdayTransactionsByNow],
  ...figures.unreconciled.map(({ currency, amount }): CsvCell[] => [`Unreconciled ${currency}`, { decimal: amount }]),
]

const rateRows = ({ figures: { kycCounts, kycApprovalRates } }: Report): CsvCell[][] => [
  ['Approved', kycCounts.approved, { decimal: kycApprovalRates.approved }],
  ['Pending', kycCounts.pending, { decimal: kycApprovalRates.pending }],
  ['Rejected', kycCounts.rejected, { decimal: kycApprovalRates.rejected }],
]

const registrationRows = ({ unit, period, points }: Registrations): CsvCell[][] =>
  section(
    `User Registrations, ${periods[period].label}`,
    [unit === 'week' ? 'Week from' : 'Day', 'Registrations', 'Previous period'],
    points.map(({ start, registrations, previous }) => [start, registrations, previous]),
  )

const memberRow = (member: Member): CsvCell[] => [
  member.id,
  displayName(member),
  member.email,
  member.membershipId,
  member.kycCompleted ? 'Verified' : 'Pending',
  kycWords(member.kycStatus),
  member.kycBanned ? 'Banned' : 'Active',
  member.createdAt,
]

const transactionRow = (transaction: ListedTransaction): CsvCell[] => [
  transaction.id,
  transaction.type,
  { decimal: `${transaction.type === 'withdrawal' ? '-' : ''}${transaction.amount}` },
  transaction.status,
  transaction.user.id,
  displayName(transaction.user),
  transaction.user.email,
  transaction.createdAt,
]

/** The dashboard's figures and lists, by section in the order of the screen. Instants are UTC, ISO 8601. */
export function reportRows(report: Report): CsvCell[][] {
  return [
    ...section('Figures', ['Figure', 'Value'], figureRows(report)),
    ...section('KYC Approval Rates', ['Status', 'Members', 'Percent'], rateRows(report)),
    ...report.registrations.flatMap(registrationRows),
    ...section(
      'Recent Users',
      ['User ID', 'Name', 'Email', 'Membership ID', 'KYC', 'KYC Status', 'Status', 'Joined'],
      report.users.map(memberRow),
    ),
    ...section(
      'Recent Transactions',
      ['Transaction ID', 'Type', 'Amount', 'Status', 'User ID', 'Name', 'Email', 'Date'],
      report.transactions.map(transactionRow),
    ),
  ]
}
