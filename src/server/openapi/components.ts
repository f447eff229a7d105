import type { $ZodType } from 'zod/v4/core'
import { Analytics, Registrations } from '#contract/analytics.ts'
import { Admin } from '#contract/auth.ts'
import { ErrorReply } from '#contract/common.ts'
import { Delivery, DeliveryDetail, DeliveryTry, EventEndpoint, Resend, Resent } from '#contract/deliveries.ts'
import {
  KycFigures,
  ListedStep2,
  ListedStep3,
  ListedStep4,
  ListedSubmission,
  ReviewBody,
  ReviewCase,
  Verification,
} from '#contract/kyc-reviews.ts'
import { WebhookLog, WebhookStats } from '#contract/kyc-webhooks.ts'
import { KycStatus, MemberRef, Step2, Step3, Step4, Submission } from '#contract/kyc.ts'
import { Notice } from '#contract/notices.ts'
import { Order, OrderStatus, SetOrderStatus } from '#contract/orders.ts'
import { KycResult, KycResultTaken, PlatformMember, PlatformOrder, Saved } from '#contract/platform-api.ts'
import {
  FractionBody,
  importLines,
  ImportResult,
  KycBody,
  MemberBody,
  OrderBody,
  TransactionBody,
  WalletBody,
} from '#contract/platform.ts'
import { AdminLog, SecurityEvent, SecurityFigures } from '#contract/security.ts'
import { NewToken, Token, TokenBody } from '#contract/tokens.ts'
import {
  ChainTransaction,
  Fraction,
  MonitoredTransaction,
  PlatformTransaction,
  RecentTransaction,
  TransactionFigures,
} from '#contract/transactions.ts'
import { KycDecision, User, UserDetail } from '#contract/users.ts'
import { ChainHealth, ContractCheck } from '#contract/chain.ts'
import { Wallet, WalletBalance } from '#contract/wallets.ts'

/** The schemas that have a name in the description, so that a generated client has types of that name. */
export const components: Record<string, $ZodType> = {
  ErrorReply,
  MemberBody,
  WalletBody,
  KycBody,
  OrderBody,
  TransactionBody,
  FractionBody,
  TokenBody,
  Saved,
  PlatformMember,
  PlatformOrder,
  ImportMemberLine: importLines.member,
  ImportWalletLine: importLines.wallet,
  ImportKycLine: importLines.kyc,
  ImportOrderLine: importLines.order,
  ImportTransactionLine: importLines.transaction,
  ImportFractionLine: importLines.fraction,
  ImportTokenLine: importLines.token,
  ImportChainTransactionLine: importLines.chainTransaction,
  ImportResult,
  KycResult,
  KycResultTaken,
  Admin,
  User,
  UserDetail,
  KycDecision,
  KycStatus,
  MemberRef,
  Step2,
  Step3,
  Step4,
  Submission,
  Verification,
  ReviewCase,
  ReviewBody,
  ListedSubmission,
  ListedStep2,
  ListedStep3,
  ListedStep4,
  KycFigures,
  WebhookLog,
  WebhookStats,
  Delivery,
  DeliveryTry,
  DeliveryDetail,
  EventEndpoint,
  Resend,
  Resent,
  Order,
  OrderStatus,
  SetOrderStatus,
  Token,
  NewToken,
  PlatformTransaction,
  RecentTransaction,
  ChainTransaction,
  MonitoredTransaction,
  TransactionFigures,
  Fraction,
  Wallet,
  WalletBalance,
  ChainHealth,
  ContractCheck,
  SecurityEvent,
  SecurityFigures,
  AdminLog,
  Analytics,
  Registrations,
  Notice,
}
