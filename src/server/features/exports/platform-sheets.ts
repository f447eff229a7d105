import { kycWords } from '#contract/kyc.ts'
import { orderStatusLabels, type PaidVia } from '#contract/order-moves.ts'
import type { Order, OrdersQuery } from '#contract/schemas/orders.ts'
import type { TokenKind } from '#contract/token-kinds.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import type {
  ListedTransaction,
  MonitoredTransaction,
  PlatformTransactionsQuery,
  TransactionsQuery,
} from '#contract/schemas/transactions.ts'
import type { Member, MembersQuery } from '#contract/schemas/members.ts'
import { displayName } from '#contract/members.ts'
import { buildOrderList } from '#server/features/orders/service.ts'
import { buildTokenList } from '#server/features/tokens/service.ts'
import { buildChainTransactionList, buildPlatformTransactionList } from '#server/features/transactions/service.ts'
import { buildMemberList } from '#server/features/members/service.ts'
import { banColumns, memberColumns, defineSheet, formatState } from './sheet.ts'

export const memberSheet = defineSheet<MembersQuery, Member>(buildMemberList, {
  ...memberColumns((member: Member) => member),
  'Membership ID': (member) => member.membershipId,
  'KYC Status': (member) => kycWords(member.kycStatus),
  Status: (member) => (member.kycBanned ? 'Banned' : 'Active'),
  'Ban Reason': (member) => member.bannedReason,
  Joined: (member) => member.createdAt,
})

const paidViaWords: Record<PaidVia, string> = { hand: 'By hand', bank: 'Bank' }

export const orderSheet = defineSheet<OrdersQuery, Order>(buildOrderList, {
  'Order Number': (order) => order.orderNumber,
  ...memberColumns(({ userId, userEmail, userFirstName, userLastName }: Order) => ({
    id: userId,
    email: userEmail,
    legalFirstName: userFirstName,
    legalLastName: userLastName,
  })),
  Project: (order) => order.projectName,
  'Project ID': (order) => order.projectId,
  Investment: (order) => ({ decimal: order.investmentAmount }),
  Received: (order) => ({ decimal: order.received }),
  Currency: (order) => order.currency,
  'Payment Reference': (order) => order.paymentReference,
  Status: (order) => orderStatusLabels[order.status],
  Expires: (order) => order.expiresAt,
  Created: (order) => order.createdAt,
  'Paid At': (order) => order.paidAt,
  'Paid Via': (order) => order.paidVia && paidViaWords[order.paidVia],
  'Completed At': (order) => order.completedAt,
  Notes: (order) => order.notes,
  ...banColumns(({ userBanned, userBannedReason }: Order) => ({
    kycBanned: userBanned,
    bannedReason: userBannedReason,
  })),
})

export const tokenSheet = (kind: TokenKind) =>
  defineSheet<object, Token>(() => buildTokenList(kind), {
    Logo: (token) => token.logo,
    Project: (token) => token.projectName,
    Website: (token) => token.projectLink,
    Symbol: (token) => token.tokenSymbol,
    Decimals: (token) => token.decimals,
    'Contract Address': (token) => token.contractAddress,
    Status: (token) => (token.isActive ? 'Active' : 'Inactive'),
    Created: (token) => token.createdAt,
  })

export const chainTransactionSheet = defineSheet<TransactionsQuery, MonitoredTransaction>(buildChainTransactionList, {
  Hash: (transaction) => transaction.transactionHash,
  'Log Index': (transaction) => transaction.logIndex,
  Block: (transaction) => transaction.blockNumber,
  Type: (transaction) => formatState(transaction.transactionType),
  Amount: (transaction) => ({ decimal: transaction.amount }),
  Token: (transaction) => transaction.tokenSymbol,
  'Token Address': (transaction) => transaction.tokenAddress,
  Status: (transaction) => formatState(transaction.status),
  Wallet: (transaction) => transaction.walletAddress,
  'User ID': (transaction) => transaction.userId,
  Name: ({ user }) => user && displayName(user),
  Email: ({ user }) => user && user.email,
  Counterparty: ({ counterparty }) => counterparty && counterparty.address,
  'Counterparty User ID': ({ counterparty }) => counterparty?.user?.id ?? null,
  'Counterparty Name': ({ counterparty }) => (counterparty?.user ? displayName(counterparty.user) : null),
  'Counterparty Label': ({ counterparty }) => counterparty?.label ?? null,
  Date: (transaction) => transaction.createdAt,
})

export const platformTransactionSheet = defineSheet<PlatformTransactionsQuery, ListedTransaction>(
  buildPlatformTransactionList,
  {
    ...memberColumns((transaction: ListedTransaction) => transaction.user),
    Type: (transaction) => formatState(transaction.type),
    Amount: (transaction) => ({ decimal: transaction.amount }),
    Status: (transaction) => formatState(transaction.status),
    Date: (transaction) => transaction.createdAt,
    'Transaction ID': (transaction) => transaction.id,
    ...banColumns((transaction: ListedTransaction) => transaction.user),
  },
)
