import { keepPreviousData } from '@tanstack/react-query'
import { analyticsRoutes, type Period } from '#contract/analytics.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { userRoutes } from '#contract/users.ts'
import { buildQuery } from '#web/api.ts'
import { getBrowserTimeZone } from '#web/lib/dates.ts'

/** Product 14: the dashboard's lists show 5 items, page 1. */
const recent = { limit: 5, page: 1 }
export const recentCount = recent.limit

export const figuresQuery = () => buildQuery(analyticsRoutes.figures, { query: { timeZone: getBrowserTimeZone() } })

export const registrationsQuery = (period: Period) => ({
  ...buildQuery(analyticsRoutes.registrations, { query: { period, timeZone: getBrowserTimeZone() } }),
  // The bars of the previous choice stay, dimmed, until the new ones load.
  placeholderData: keepPreviousData,
})

export const recentUsersQuery = () => buildQuery(userRoutes.list, { query: recent })

export const recentTransactionsQuery = () => buildQuery(transactionRoutes.list, { query: recent })
