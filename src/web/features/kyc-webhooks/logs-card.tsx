import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { Webhook } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { logPollSeconds, shownLogs, webhookOutcomes } from '#contract/kyc-webhooks.ts'
import { describeError } from '#web/api.ts'
import { formatCount } from '#web/lib/money.ts'
import { LoadFailure } from '#web/load-failure.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useChoice } from '#web/table/choice-filter.tsx'
import { FilterChip } from '#web/table/filter-chip.tsx'
import { TableGrid } from '#web/table/table-grid.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Note } from '#web/ui/note.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { logColumns } from './log-columns.tsx'
import { logsQuery, type UnreachedFilter } from './queries.ts'

/** The newest attempts, polled every 10 seconds (product 5.11), or those that a notice counts. */
export function LogsCard({ className }: { className: string }) {
  const { unreached }: { unreached?: UnreachedFilter } = useSearch({ strict: false })
  const status = useChoice('status', webhookOutcomes)
  const asked = useMemo(() => logsQuery(unreached, status), [unreached, status])
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery(asked)
  usePoll(asked.queryKey, logPollSeconds)
  const failure = useLatestError(error)
  // The notice's list is shown whole, so that it matches the count.
  const rows = unreached ? data?.logs : data?.logs.slice(0, shownLogs)
  return (
    <Panel
      title="Recent Webhook Logs"
      end={<ExportButton name="webhookLogs" query={{ unreached, status }} />}
      className={className}
    >
      {(unreached || status) && (
        <div className="flex flex-wrap gap-2 px-4 pb-3">
          {unreached && <FilterChip label="Not reached in the last 24 hours" parameter="unreached" />}
          {status && <FilterChip label={outcomeWords[status]} parameter="status" />}
        </div>
      )}
      <div className="border-t">
        {data && error && (
          <Note tone="danger" role="alert" className="m-3">
            The log could not be refreshed: {describeError(error)}
          </Note>
        )}
        {!data && failure && <LoadFailure what="The log" query={{ error: failure, isFetching, refetch }} />}
        {rows?.length === 0 && (
          <EmptyState icon={Webhook} title="No webhook logs found">
            {unreached ? noneUnreached : 'Each attempt to send a case to the KYC provider appears here.'}
          </EmptyState>
        )}
        {rows?.length !== 0 && !(failure && !data) && (
          <div className="@container overflow-x-auto print:overflow-visible [--table-edge:1rem] [--table-ground:var(--surface-card)]">
            <TableGrid
              columns={logColumns}
              rows={rows}
              rowId={(log) => log.id}
              dimmed={isPlaceholderData}
              notice={
                rows ? null : (
                  <span className="grid min-h-130 place-items-center page-scrolls:min-h-dvh">Loading...</span>
                )
              }
            />
          </div>
        )}
        {data && rows && rows.length > 0 && (
          <LogExtent shown={rows.length} total={data.total} what={unreached ? 'case' : 'attempt'} />
        )}
      </div>
    </Panel>
  )
}

/** Keeps the error while the log is fetched again: the card does not flicker, and "Try Again" keeps the focus. */
function useLatestError(error: Error | null) {
  const [latest, setLatest] = useState<Error | null>(null)
  if (error && error !== latest) setLatest(error)
  return latest
}

const outcomeWords = { success: 'Successful attempts', failed: 'Failed attempts' }

// Of older failures the list knows nothing, so it must not say that all is well.
const noneUnreached =
  'No case that failed in the last 24 hours still needs delivery. Older failures are not in this list.'

/** How much of the log this is. */
function LogExtent({ shown, total, what }: { shown: number; total: number; what: string }) {
  const all = `${formatCount(total)} ${total === 1 ? what : `${what}s`}`
  return (
    <p className="border-t px-4 py-2.5 text-12 text-quiet tabular-nums">
      {shown < total ? `The newest ${formatCount(shown)} of ${all}` : all}
    </p>
  )
}

/**
 * Fetches this one query again every `seconds` while the page is in sight, and at once when it comes back into sight with
 * something older. `queryKey` has to be the same array from render to render.
 */
function usePoll(queryKey: readonly string[], seconds: number) {
  const client = useQueryClient()
  useEffect(() => {
    const period = seconds * 1000
    let timer: ReturnType<typeof setInterval> | undefined
    const isInSight = () => document.visibilityState === 'visible'
    const poll = () => {
      // Skips a query that is still running.
      if (!isInSight() || client.getQueryState(queryKey)?.fetchStatus !== 'idle') return
      void client.refetchQueries({ queryKey, exact: true })
    }
    const start = () => {
      clearInterval(timer)
      if (isInSight()) timer = setInterval(poll, period)
    }
    const onVisibility = () => {
      start()
      const { dataUpdatedAt = 0, errorUpdatedAt = 0 } = client.getQueryState(queryKey) ?? {}
      if (Date.now() - Math.max(dataUpdatedAt, errorUpdatedAt) >= period) poll()
    }
    start()
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
    }
  }, [client, queryKey, seconds])
}
