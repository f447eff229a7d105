import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import type { SecurityEvent } from '#contract/schemas/security.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useListState } from '#web/table/list-state.ts'
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
  { value: 'true', label: 'Resolved' },
  { value: 'all', label: 'All Events' },
]
const values = options.map(({ value }) => value)

/** Unresolved events by default. A filter shows resolved ones with operator and note. */
export function EventsTab() {
  const state = useListState(values, ['resolved'])
  const view = useChoice('resolved', eventViews)
  const events = useQuery(eventsQuery(state, view))
  const [resolving, setResolving] = useState<SecurityEvent | null>(null)
  const columns = useMemo(() => eventColumns({ onResolve: setResolving, view }), [view])
  return (
    <>
      <DataTable
        label="Security events"
        entity="event"
        columns={columns}
        rows={events.data?.events}
        rowId={(event) => event.id}
        query={events}
        state={state}
        statuses={options}
        origin="Failed sign-ins and other risks appear here as they happen."
        statusFilter={{ label: 'Severity filter', all: 'All Severities' }}
        toolbar={<ExportButton name="securityEvents" query={buildEventFilter(state.status, view)} />}
        filters={<ChoiceFilter label="State filter" parameter="resolved" all="Unresolved" options={views} />}
      />
      <LazyBoundary fallback={null} onFailure={() => setResolving(null)}>
        {resolving && <ResolveDialog event={resolving} onClose={() => setResolving(null)} />}
      </LazyBoundary>
    </>
  )
}
