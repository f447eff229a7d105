import { kycWords } from '#contract/kyc.ts'
import { orderStatusLabels } from '#contract/order-moves.ts'
import type { Order, OrdersQuery } from '#contract/schemas/orders.ts'
import type { TokenKind } from '#contract/token-kinds.ts'
import type { Token } from '#contract/schemas/tokens.ts'
import type {
  ListedTransaction,
  MonitoredTransaction,
  PlatformTransactionsQuery,
  TransactionsQuery,
} from '#contract/schemas/transactions.ts'
import type { User, UsersQuery } from '#contract/schemas/users.ts'
import { askOrders } from '#server/features/orders/service.ts'
import { askTokens } from '#server/features/tokens/service.ts'
import { askChainTransactions, askPlatformTransactions } from '#server/features/transactions/service.ts'
import { askUsers } from '#server/features/users/service.ts'
import { banColumns, memberColumns, sheetOf, stateWords } from './sheet.ts'

export const userSheet = sheetOf<UsersQuery, User>(askUsers, {
  ...memberColumns((user: User) => user),
  'Membership ID': (user) => user.membershipId,
  'KYC Status': (user) => kycWords(user.kycStatus),
  Status: (user) => (user.kycBanned ? 'Banned' : 'Active'),
  'Ban Reason': (user) => user.bannedReason,
  Joined: (user) => user.createdAt,
})

export const orderSheet = sheetOf<OrdersQuery, Order>(askOrders, {
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
  Currency: (order) => order.currency,
  Status: (order) => orderStatusLabels[order.status],
  Expires: (order) => order.expiresAt,
  Created: (order) => order.createdAt,
  'Paid At': (order) => order.paidAt,
  'Completed At': (order) => order.completedAt,
  Notes: (order) => order.notes,
  ...banColumns(({ userBanned, userBannedReason }: Order) => ({
    kycBanned: userBanned,
    bannedReason: userBannedReason,
  })),
})

export const tokenSheet = (kind: TokenKind) =>
  sheetOf<object, Token>(() => askTokens(kind), {
    Logo: (token) => token.logo,
    Project: (token) => token.projectName,
    Website: (token) => token.projectLink,
    Symbol: (token) => token.tokenSymbol,
    Decimals: (token) => token.decimals,
    'Contract Address': (token) => token.contractAddress,
    Status: (token) => (token.isActive ? 'Active' : 'Inactive'),
    Created: (token) => token.createdAt,
  })

export const chainTransactionSheet = sheetOf<TransactionsQuery, MonitoredTransaction>(askChainTransactions, {
  Hash: (transaction) => transaction.transactionHash,
  Type: (transaction) => stateWords(transaction.transactionType),
  Amount: (transaction) => ({ decimal: transaction.amount }),
  Token: (transaction) => transaction.tokenSymbol,
  'Token Address': (transaction) => transaction.tokenAddress,
  Status: (transaction) => stateWords(transaction.status),
  Wallet: (transaction) => transaction.walletAddress,
  'User ID': (transaction) => transaction.userId,
  Date: (transaction) => transaction.createdAt,
})

export const platformTransactionSheet = sheetOf<PlatformTransactionsQuery, ListedTransaction>(askPlatformTransactions, {
  ...memberColumns((transaction: ListedTransaction) => transaction.user),
  Type: (transaction) => stateWords(transaction.type),
  Amount: (transaction) => ({ decimal: transaction.amount }),
  Status: (transaction) => stateWords(transaction.status),
  Date: (transaction) => transaction.createdAt,
  'Transaction ID': (transaction) => transaction.id,
  ...banColumns((transaction: ListedTransaction) => transaction.user),
})
