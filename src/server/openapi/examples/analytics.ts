import type { ExamplesOf } from './example-types.ts'
import { at } from './samples.ts'

const timeZone = 'Europe/Lisbon'
export const analytics: ExamplesOf<'analytics'> = {
  figures: {
    query: { timeZone },
    reply: {
      totalUsers: 1204,
      pendingKyc: 8,
      activeTokens: 5,
      todayTransactions: 31,
      kycApprovalRates: { approved: '81.0', pending: '12.0', rejected: '7.0' },
      kycCounts: { approved: 81, pending: 12, rejected: 7 },
      newUsersLast7Days: 42,
      oldestPendingKyc: at,
      tokens: { total: 7, activeEarning: 3, activeFractions: 2 },
      yesterdayTransactionsByNow: 28,
      unreconciled: [{ currency: 'EUR', amount: '1500.00', lines: 1 }],
    },
  },
  waiting: {
    reply: { expiringOrders: [{ currency: 'EUR', amount: '7500.00' }], oldestCritical: at, oldestApproval: null },
  },
  trends: {
    query: { timeZone },
    reply: { members: [4, 6], pendingKyc: [9, 8], tokens: [5, 5], transactions: [27, 31] },
  },
  kycWaits: { reply: { bands: [{ from: 0, to: 24, count: 8 }], targetHours: 48, late: 0 } },
  orders: {
    reply: {
      states: [{ status: 'waiting_payment', count: 3, sums: [{ currency: 'EUR', amount: '7500.00' }] }],
      expiring: { '24h': 1, '48h': 0, later: 2 },
    },
  },
  transfers: {
    query: { period: '7d', compare: 'previous', timeZone },
    reply: {
      period: '7d',
      compare: 'previous',
      timeZone,
      unit: 'day',
      points: [{ start: '2026-01-05', end: '2026-01-05', deposits: 2, withdrawals: 1 }],
      total: { deposits: 2, withdrawals: 1 },
      previousTotal: { deposits: 3, withdrawals: 0 },
      tokens: [
        {
          tokenAddress: '0x5f2a1d3c4b6e7f8091a2b3c4d5e6f708192a3b4c',
          tokenSymbol: 'LIS',
          deposits: { count: 2, amount: '1500.5' },
          withdrawals: { count: 1, amount: '20' },
        },
      ],
      tokenCount: 1,
    },
  },
  messages: {
    reply: {
      events: { waiting: 2, failed: 0, oldestSeconds: 4 },
      cases: { waiting: 0, failed: 0, oldestSeconds: null },
    },
  },
  registrations: {
    query: { period: '7d', compare: 'previous', timeZone },
    reply: {
      period: '7d',
      compare: 'previous',
      timeZone,
      unit: 'day',
      points: [{ start: '2026-01-05', registrations: 6, previous: 4 }],
      total: 6,
      previousTotal: 4,
    },
  },
  report: { query: { timeZone } },
}
