import type { Routes } from './route.ts'
import type { analyticsSchemas } from './schemas/analytics.ts'

export const periods = {
  '7d': { label: 'Last 7 days', unit: 'day', count: 7 },
  '30d': { label: 'Last 30 days', unit: 'day', count: 30 },
  '3m': { label: 'Last 3 months', unit: 'week', count: 13 },
} as const
export type Period = keyof typeof periods

export const analyticsRoutes: Routes<typeof analyticsSchemas> = {
  figures: {
    method: 'GET',
    path: '/api/analytics',
    access: 'dashboard.view',
  },
  registrations: {
    method: 'GET',
    path: '/api/analytics/registrations',
    access: 'dashboard.view',
  },
  report: {
    method: 'GET',
    path: '/api/analytics/report',
    access: ['exports.take', 'dashboard.view', 'members.view', 'transactions.view'],
    timeoutSeconds: 120,
    raw: true,
  },
}
