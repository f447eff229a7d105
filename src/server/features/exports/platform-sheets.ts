import { kycStatusLabels } from '#contract/kyc.ts'
import { orderStatusLabels, type Order, type OrdersQuery } from '#contract/orders.ts'
import type { Token, TokenKind } from '#contract/tokens.ts'
import type { MonitoredTransaction, TransactionsQuery } from '#contract/transactions.ts'
import type { User, UsersQuery } from '#contract/users.ts'
import { askOrders } from '#server/features/orders/service.ts'
import { askTokens } from '#server/features/tokens/service.ts'
import { askChainTransactions } from '#server/features/transactions/service.ts'
import { askUsers } from '#server/features/users/service.ts'
import { memberColumns, sheetOf, stateWords } from './sheet.ts'

export const userSheet = sheetOf<UsersQuery, User>(askUsers, {
  ...memberColumns((user: User) => user),
  'Membership ID': (user) => user.membershipId,
  // Who has not begun reads Pending in lists (SPEC section 2, display rules).
  'KYC Status': (user) => kycStatusLabels[user.kycStatus ?? 'pending'],
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
