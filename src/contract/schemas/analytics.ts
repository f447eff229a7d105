import * as z from 'zod/mini'
import type { RouteSchemas } from '#contract/route.ts'
import { comparisons, type Period } from '#contract/analytics.ts'
import { Day, Timestamp, TimeZone } from './common.ts'
import { OrderStatus } from './orders.ts'

/** What the figures count: product 5.2. */
export const Analytics = z.object({
  totalUsers: z.int(),
  pendingKyc: z.int(),
  activeTokens: z.int(),
  todayTransactions: z.int(),
  /** Percentages as numeric strings with one decimal, together 100.0; all "0.0" while nobody has submitted. */
  kycApprovalRates: z.object({ approved: z.string(), pending: z.string(), rejected: z.string() }),
  /** The counts behind the rates. */
  kycCounts: z.object({ approved: z.int(), pending: z.int(), rejected: z.int() }),
  /** What each card compares with. */
  newUsersLast7Days: z.int(),
  oldestPendingKyc: z.nullable(Timestamp),
  tokens: z.object({ total: z.int(), activeEarning: z.int(), activeFractions: z.int() }),
  yesterdayTransactionsByNow: z.int(),
  /**
   * Money that came in on the bank accounts and has no purpose yet, and in how many lines, by currency; 0.00 where all
   * has one. Empty without bank accounts, and for an admin who may not view them.
   */
  unreconciled: z.array(z.object({ currency: z.string(), amount: z.string(), lines: z.int() })),
})
export type Analytics = z.infer<typeof Analytics>

/** Money of one currency: never added up over currencies. */
const CurrencySum = z.object({ currency: z.string(), amount: z.string() })
export type CurrencySum = z.infer<typeof CurrencySum>

/** What is told beside the counts of notices, of what the admin may view; else null. */
export const NoticeDetails = z.object({
  /** The money of the orders that expire within 24 hours, by currency. */
  expiringOrders: z.nullable(z.array(CurrencySum)),
  oldestCritical: z.nullable(Timestamp),
  oldestApproval: z.nullable(Timestamp),
})
export type NoticeDetails = z.infer<typeof NoticeDetails>

/** A figure a day of the asked time zone, oldest first, the last one today; null where the admin may not view it. */
const Trend = z.nullable(z.array(z.int()))
export const Trends = z.object({
  /** Members who registered that day. */
  members: Trend,
  /** KYC cases that waited for a decision when the day ended. */
  pendingKyc: Trend,
  /** Today's active tokens that were there when the day ended. */
  tokens: Trend,
  /** Platform transactions of that day. */
  transactions: Trend,
})
export type Trends = z.infer<typeof Trends>

const periodNames = ['7d', '30d', '3m'] as const satisfies Period[]

const periodReply = {
  period: z.enum(periodNames),
  compare: z.enum(comparisons),
  timeZone: z.string(),
  unit: z.enum(['day', 'week']),
}

/** Registrations per day, or per week from Monday, in the asked time zone; the last one is still running. */
export const Registrations = z.object({
  ...periodReply,
  points: z.array(
    z.object({
      /** First day of the day or week. */
      start: Day,
      registrations: z.int(),
      /** The same day or week of the period that is compared with. */
      previous: z.int(),
    }),
  ),
  total: z.int(),
  previousTotal: z.int(),
})
export type Registrations = z.infer<typeof Registrations>

/** Pending verifications by how many hours they have waited: `from` or more, and less than `to`. */
export const KycWaits = z.object({
  bands: z.array(z.object({ from: z.int(), to: z.nullable(z.int()), count: z.int() })),
  /** The setting `KYC_TARGET_HOURS`. */
  targetHours: z.int(),
  /** How many have waited for so long or longer. */
  late: z.int(),
})
export type KycWaits = z.infer<typeof KycWaits>

/** Orders by state with their money, and when those that wait for payment expire. */
export const OrderPipeline = z.object({
  states: z.array(z.object({ status: OrderStatus, count: z.int(), sums: z.array(CurrencySum) })),
  expiring: z.object({ '24h': z.int(), '48h': z.int(), later: z.int() }),
})
export type OrderPipeline = z.infer<typeof OrderPipeline>

const TransferSum = z.object({ count: z.int(), amount: z.string() })

/** Completed deposits and withdrawals on the chain, per day or week and token. Amounts of tokens are never added up. */
export const Transfers = z.object({
  ...periodReply,
  points: z.array(z.object({ start: Day, end: Day, deposits: z.int(), withdrawals: z.int() })),
  total: z.object({ deposits: z.int(), withdrawals: z.int() }),
  previousTotal: z.object({ deposits: z.int(), withdrawals: z.int() }),
  /** Those with most transfers. */
  tokens: z.array(
    z.object({
      tokenAddress: z.string(),
      tokenSymbol: z.nullable(z.string()),
      deposits: TransferSum,
      withdrawals: TransferSum,
    }),
  ),
  /** How many tokens had transfers. */
  tokenCount: z.int(),
})
export type Transfers = z.infer<typeof Transfers>

/** What goes out: events to the platform, cases to the KYC provider. */
const MessageQueue = z.object({
  waiting: z.int(),
  failed: z.int(),
  /** How long the oldest waiting one has waited; null where none waits. */
  oldestSeconds: z.nullable(z.int()),
})
export const MessageHealth = z.object({ events: MessageQueue, cases: MessageQueue })
export type MessageHealth = z.infer<typeof MessageHealth>

const period = z.prefault(z.enum(periodNames, { error: `must be one of ${periodNames.join(', ')}` }), '7d')
const compare = z.prefault(z.enum(comparisons, { error: `must be one of ${comparisons.join(', ')}` }), 'previous')

export const analyticsSchemas = {
  figures: { summary: "The dashboard's figures", query: z.object({ timeZone: TimeZone }), reply: Analytics },
  waiting: { summary: 'Money and age of what waits for an operator', reply: NoticeDetails },
  trends: { summary: 'The figures of the last 14 days', query: z.object({ timeZone: TimeZone }), reply: Trends },
  registrations: {
    summary: 'Registrations per day or week',
    query: z.object({ period, compare, timeZone: TimeZone }),
    reply: Registrations,
  },
  kycWaits: { summary: 'How long KYC cases have waited, against the target', reply: KycWaits },
  orders: { summary: 'Orders by state with their money per currency', reply: OrderPipeline },
  transfers: {
    summary: 'Deposits and withdrawals on the chain per day or week',
    query: z.object({ period, compare, timeZone: TimeZone }),
    reply: Transfers,
  },
  messages: { summary: 'Messages that wait or have failed', reply: MessageHealth },
  report: {
    summary: "The dashboard's figures and lists as a CSV file",
    query: z.object({ timeZone: TimeZone }),
    refuses: ['too_many_requests'],
  },
} satisfies Record<string, RouteSchemas>
