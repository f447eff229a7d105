import type { QueryClient } from '@tanstack/react-query'
import { analyticsRoutes } from '#contract/analytics.ts'
import { callRaw, describeError } from '#web/api.ts'
import { getTimeZone } from '#web/lib/dates.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { toast } from '#web/ui/toast.ts'

async function downloadReport() {
  saveFile(await callRaw(analyticsRoutes.report, { query: { timeZone: getTimeZone() } }))
  return null
}

/** The query client reports an ended session. */
const reportQuery = { queryKey: ['report'], queryFn: downloadReport, staleTime: 0, gcTime: 0 }

/** Downloads the dashboard's report (product 5.1), and says how that went. */
export async function exportReport(client: QueryClient): Promise<void> {
  try {
    await client.fetchQuery(reportQuery)
    toast({ tone: 'success', title: 'Report downloaded' })
  } catch (error) {
    const description = describeError(error, 'Failed to generate the report')
    toast({ tone: 'destructive', title: 'Export Failed', description })
  }
}
