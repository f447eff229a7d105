import * as z from 'zod/mini'
import type { Period } from '#contract/analytics.ts'
import { Day, Timestamp, TimeZone } from './common.ts'

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
   * Money that came in on the bank accounts and has no purpose yet, and in how many lines, by currency; 0.00 where all has one.
   * Empty without bank accounts, and for an admin who may not view them.
   */
  unreconciled: z.array(z.object({ currency: z.string(), amount: z.string(), lines: z.int() })),
})
export type Analytics = z.infer<typeof Analytics>

const periodNames = ['7d', '30d', '3m'] as const satisfies Period[]

/** Registrations per day, or per week from Monday, in the asked time zone; the last one is still running. */
export const Registrations = z.object({
  period: z.enum(periodNames),
  timeZone: z.string(),
  unit: z.enum(['day', 'week']),
  points: z.array(
    z.object({
      /** First day of the day or week. */
      start: Day,
      registrations: z.int(),
      /** The same day or week one period earlier. */
      previous: z.int(),
    }),
  ),
  total: z.int(),
  previousTotal: z.int(),
})
export type Registrations = z.infer<typeof Registrations>

export const analyticsSchemas = {
  figures: {
    summary: "The dashboard's figures",
    query: z.object({ timeZone: TimeZone }),
    reply: Analytics,
  },
  registrations: {
    summary: 'Registrations per day or week',
    query: z.object({
      period: z.prefault(z.enum(periodNames, { error: `must be one of ${periodNames.join(', ')}` }), '7d'),
      timeZone: TimeZone,
    }),
    reply: Registrations,
  },
  report: {
    summary: "The dashboard's figures and lists as a CSV file",
    query: z.object({ timeZone: TimeZone }),
  },
}
