import type { $ZodType } from 'zod/v4/core'
import { Analytics, Registrations } from '#contract/schemas/analytics.ts'
import { Account, AccountAdmin, AccountSession } from '#contract/schemas/account.ts'
import { Admin, SecondFactorNeeded, StepUp } from '#contract/schemas/auth.ts'
import { Approval, ApprovalRequested, ApprovalRule } from '#contract/schemas/approvals.ts'
import { Operator } from '#contract/schemas/operators.ts'
import { BankAccount, BankImport, BankLine, BankStatement, ImportedStatement } from '#contract/schemas/bank.ts'
import { BankAllocation, OrderPayment } from '#contract/schemas/bank-allocations.ts'
import { ErrorReply } from '#contract/schemas/errors.ts'
import { Message, MessageDetail, MessageTry, EventEndpoint, Resend, Resent } from '#contract/schemas/messages.ts'
import { Endpoint } from '#contract/schemas/endpoints.ts'
import { Factor } from '#contract/schemas/factors.ts'
import {
  KycFigures,
  ListedStep2,
  ListedStep3,
  ListedStep4,
  ListedSubmission,
  ReviewBody,
  ReviewCase,
  Verification,
} from '#contract/schemas/kyc-reviews.ts'
import { WebhookLog, WebhookStats } from '#contract/schemas/kyc-webhooks.ts'
import { KycStatus, MemberRef, Step2, Step3, Step4, Submission } from '#contract/schemas/kyc.ts'
import { Notice } from '#contract/schemas/notices.ts'
import { Order, OrderStatus, SetOrderStatus } from '#contract/schemas/orders.ts'
import {
  PasskeyAssertion,
  PasskeyCreation,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '#contract/schemas/passkeys.ts'
import {
  KycResult,
  KycResultTaken,
  PlatformEventRecord,
  PlatformMember,
  PlatformOrder,
  PutReply,
} from '#contract/schemas/platform-api.ts'
import {
  FractionBody,
  importLines,
  ImportResult,
  KycBody,
  MemberBody,
  OrderBody,
  TransactionBody,
  WalletBody,
} from '#contract/schemas/platform.ts'
import { AdminLog, Integrity, SecurityEvent, SecurityFigures } from '#contract/schemas/security.ts'
import { NewToken, Token, TokenBody } from '#contract/schemas/tokens.ts'
import {
  ChainTransaction,
  Fraction,
  MonitoredTransaction,
  PlatformTransaction,
  ListedTransaction,
  TransactionFigures,
} from '#contract/schemas/transactions.ts'
import { KycDecision, Member, MemberDetail } from '#contract/schemas/members.ts'
import { ChainHealth, ContractCheck } from '#contract/schemas/chain.ts'
import { Wallet, WalletBalance } from '#contract/schemas/wallets.ts'

/** The lines of an import: `ImportMemberLine` and so on. */
const lines: Record<string, $ZodType> = Object.fromEntries(
  Object.entries(importLines).map(([type, line]) => [
    `Import${type.replace(/^./, (first) => first.toUpperCase())}Line`,
    line,
  ]),
)
export const importLineNames = Object.keys(lines)

/** The schemas with a name in the description, so that generated clients have types of that name. */
export const components: Record<string, $ZodType> = {
  ErrorReply,
  MemberBody,
  WalletBody,
  KycBody,
  OrderBody,
  TransactionBody,
  FractionBody,
  TokenBody,
  PutReply,
  PlatformMember,
  PlatformOrder,
  PlatformEventRecord,
  ...lines,
  ImportResult,
  KycResult,
  KycResultTaken,
  Account,
  AccountAdmin,
  Admin,
  SecondFactorNeeded,
  StepUp,
  PasskeyCreationOptions,
  PasskeyCreation,
  PasskeyRequestOptions,
  PasskeyAssertion,
  Factor,
  Operator,
  Approval,
  ApprovalRequested,
  ApprovalRule,
  AccountSession,
  Member,
  MemberDetail,
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
  Message,
  MessageTry,
  MessageDetail,
  EventEndpoint,
  Endpoint,
  Resend,
  Resent,
  Order,
  OrderStatus,
  SetOrderStatus,
  BankAccount,
  BankImport,
  BankStatement,
  ImportedStatement,
  BankLine,
  BankAllocation,
  OrderPayment,
  Token,
  NewToken,
  PlatformTransaction,
  ListedTransaction,
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
  Integrity,
  AdminLog,
  Analytics,
  Registrations,
  Notice,
}
