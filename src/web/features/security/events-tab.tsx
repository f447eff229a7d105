import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { createdSorts } from '#contract/sorts.ts'
import type { ListedEvent } from '#contract/schemas/security.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { formatMachineName } from '#web/lib/words.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { dayParameters, DayRangeFilter, useDays } from '#web/table/day-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
import { useSort } from '#web/table/use-sort.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { eventColumns } from './event-columns.tsx'
import { buildEventFilter, eventsQuery, eventViews } from './queries.ts'

const ResolveDialog = lazy(() => import('./resolve-dialog.tsx'))

const options = [
  { value: 'critical', label: 'Critical' },
  { value: 'high', label: 'High' },
  { value: 'medium', label: 'Medium' },
  { value: 'low', label: 'Low' },
]
const views = [
  { value: 'each', label: 'Unresolved, one by one' },
  { value: 'true', label: 'Resolved' },
  { value: 'all', label: 'All Events' },
]
const list = defineBulkList<ListedEvent>(
  ['resolve_events'],
  ({ eventType, description }) => `${formatMachineName(eventType)}: ${description}`,
)
const values = options.map(({ value }) => value)

/** Unresolved events by default, equal ones in a row. A filter shows each, or resolved ones with operator and note. */
export function EventsTab() {
  const state = useListState(values, ['resolved', ...dayParameters])
  const days = useDays()
  const sort = useSort(createdSorts)
  const place = { status: state.status, ...days, sort }
  const view = useChoice('resolved', eventViews)
  const events = useQuery(eventsQuery({ ...place, page: state.page }, view))
  const [resolving, setResolving] = useState<ListedEvent | null>(null)
  // A row of equal events is resolved whole by its own button.
  const canSelect = useCanSelect(list) && view !== undefined
  const columns = useMemo(
    () => [...(canSelect ? [list.column] : []), ...eventColumns({ onResolve: setResolving, view })],
    [canSelect, view, setResolving],
  )
  const filter = buildEventFilter(place, view)
  const rows = events.data?.events
  return (
    <BulkSelection {...{ list, filter, rows }} data={events.data}>
      <DataTable
        label="Security events"
        entity="event"
        columns={columns}
        rows={rows}
        rowId={(event) => event.id}
        query={events}
        state={state}
        statuses={options}
        sorts={createdSorts}
        origin="Failed sign-ins and other risks appear here as they happen."
        statusFilter={{ label: 'Severity filter', all: 'All Severities' }}
        toolbar={<ExportButton name="securityEvents" query={{ ...filter, together: undefined }} />}
        filters={
          <>
            <ChoiceFilter label="State filter" parameter="resolved" all="Unresolved" options={views} />
            <DayRangeFilter />
          </>
        }
      />
      <LazyBoundary fallback={null} onFailure={() => setResolving(null)}>
        {resolving && <ResolveDialog event={resolving} onClose={() => setResolving(null)} />}
      </LazyBoundary>
    </BulkSelection>
  )
}
