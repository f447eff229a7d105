import { keepPreviousData } from '@tanstack/react-query'
import { analyticsRoutes, type Period } from '#contract/analytics.ts'
import { transactionRoutes } from '#contract/transactions.ts'
import { userRoutes } from '#contract/users.ts'
import { callRaw, queryOf } from '#web/api.ts'
import { browserTimeZone } from '#web/lib/dates.ts'

/** SPEC section 9: the dashboard's lists show 5 items, page 1. */
const recent = { limit: 5, page: 1 }
export const recentCount = recent.limit

export const figuresQuery = () => queryOf(analyticsRoutes.figures, { query: { timeZone: browserTimeZone() } })

export const registrationsQuery = (period: Period) => ({
  ...queryOf(analyticsRoutes.registrations, { query: { period, timeZone: browserTimeZone() } }),
  // The bars of the former period stay, dimmed, until the new ones come.
  placeholderData: keepPreviousData,
})

export const recentUsersQuery = () => queryOf(userRoutes.list, { query: recent })

export const recentTransactionsQuery = () => queryOf(transactionRoutes.list, { query: recent })

/** Fetches the report and hands it to the browser as a download, under the server's name for it. */
export async function downloadReport(): Promise<void> {
  const response = await callRaw(analyticsRoutes.report, { query: { timeZone: browserTimeZone() } })
  const named = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = named ?? 'back-office-report.csv'
  link.click()
  // The browser reads the blob after the click has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
