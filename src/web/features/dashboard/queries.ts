import { keepPreviousData } from '@tanstack/react-query'
import { analyticsRoutes, type Comparison, type Period } from '#contract/analytics.ts'
import { buildQuery } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'

export const figuresQuery = () => buildQuery(analyticsRoutes.figures, { query: { timeZone: getTimeZone() } })

export const waitingQuery = () => buildQuery(analyticsRoutes.waiting)

export const trendsQuery = () => buildQuery(analyticsRoutes.trends, { query: { timeZone: getTimeZone() } })

interface Span {
  period: Period
  compare: Comparison
}

export const registrationsQuery = (span: Span) => ({
  ...buildQuery(analyticsRoutes.registrations, { query: { ...span, timeZone: getTimeZone() } }),
  // The bars of the previous choice stay, dimmed, until the new ones load.
  placeholderData: keepPreviousData,
})

export const transfersQuery = (span: Span) => ({
  ...buildQuery(analyticsRoutes.transfers, { query: { ...span, timeZone: getTimeZone() } }),
  placeholderData: keepPreviousData,
})

// What waits gets older and expires without an event, so each visit fetches these again.
export const kycWaitsQuery = () => ({ ...buildQuery(analyticsRoutes.kycWaits), staleTime: 0 })
export const pipelineQuery = () => ({ ...buildQuery(analyticsRoutes.orders), staleTime: 0 })
export const messagesQuery = () => ({ ...buildQuery(analyticsRoutes.messages), staleTime: 0 })
