import type { Routes } from './route.ts'
import type { analyticsSchemas } from './schemas/analytics.ts'

export const periods = {
  '7d': { label: 'Last 7 days', unit: 'day', count: 7 },
  '30d': { label: 'Last 30 days', unit: 'day', count: 30 },
  '3m': { label: 'Last 3 months', unit: 'week', count: 13 },
} as const
export type Period = keyof typeof periods

/** What a period is compared with: the one just before it, or the same days 52 weeks before, so that weekdays match. */
export const comparisons = ['previous', 'year'] as const
export type Comparison = (typeof comparisons)[number]

/** How many days a trend beside a figure has. The last one is today. */
export const trendDays = 14

/** The most tokens whose transfers are named. */
export const mostTokens = 5

export const analyticsRoutes: Routes<typeof analyticsSchemas> = {
  figures: { method: 'GET', path: '/api/analytics', access: 'dashboard.view' },
  waiting: { method: 'GET', path: '/api/analytics/waiting', access: 'dashboard.view' },
  trends: { method: 'GET', path: '/api/analytics/trends', access: 'dashboard.view' },
  registrations: { method: 'GET', path: '/api/analytics/registrations', access: 'dashboard.view' },
  kycWaits: { method: 'GET', path: '/api/analytics/kyc-waits', access: ['dashboard.view', 'kyc.view'] },
  orders: { method: 'GET', path: '/api/analytics/orders', access: ['dashboard.view', 'orders.view'] },
  transfers: { method: 'GET', path: '/api/analytics/transfers', access: ['dashboard.view', 'transactions.view'] },
  messages: { method: 'GET', path: '/api/analytics/messages', access: ['dashboard.view', 'messages.view'] },
  report: {
    method: 'GET',
    path: '/api/analytics/report',
    access: ['exports.take', 'dashboard.view', 'members.view', 'transactions.view'],
    timeoutSeconds: 120,
    raw: true,
  },
}
