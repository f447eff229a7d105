import { useMemo, useState } from 'react'
import { securityRoutes } from '#contract/security.ts'
import { securityEventList } from '#contract/lists.ts'
import type { ListedEvent } from '#contract/schemas/security.ts'
import { BulkSelection, defineBulkList, useCanSelect } from '#web/bulk/bulk-selection.tsx'
import { formatMachineName } from '#web/lib/words.ts'
import { ChoiceFilter, useChoice } from '#web/table/choice-filter.tsx'
import { DataTable } from '#web/table/data-table.tsx'
import { ExportButton } from '#web/table/export-button.tsx'
import { useList } from '#web/table/use-list.ts'
import { lazy, LazyBoundary } from '#web/ui/lazy-boundary.tsx'
import { eventColumns } from './event-columns.tsx'
import { eventViews } from './queries.ts'

const ResolveDialog = lazy(() => import('./resolve-dialog.tsx'))

const views = [
  { value: 'each', label: 'Unresolved, one by one' },
  { value: 'true', label: 'Resolved' },
  { value: 'all', label: 'All Events' },
]
const bulk = defineBulkList<ListedEvent>({
  actions: ['resolve_events'],
  nameOf: ({ eventType, description }) => `${formatMachineName(eventType)}: ${description}`,
  exportName: 'securityEvents',
})

/** Unresolved events by default, equal ones in a row. A filter shows each, or resolved ones with operator and note. */
export function EventsTab() {
  const view = useChoice('resolved', eventViews)
  const list = useList(securityEventList, securityRoutes.events, {
    adjust: () => ({
      resolved: view === 'true' || view === 'all' ? view : 'false',
      together: view === undefined ? 'true' : undefined,
    }),
    parameters: ['resolved'],
  })
  const rows = list.query.data?.events
  const [resolving, setResolving] = useState<ListedEvent | null>(null)
  // A row of equal events is resolved whole by its own button.
  const canSelect = useCanSelect(bulk) && view !== undefined
  const columns = useMemo(
    () => [...(canSelect ? [bulk.column] : []), ...eventColumns({ onResolve: setResolving, view })],
    [canSelect, view, setResolving],
  )
  return (
    <BulkSelection {...{ bulk, list, rows }}>
      <DataTable
        label="Security events"
        entity="event"
        columns={columns}
        rows={rows}
        rowId={(event) => event.id}
        list={list}
        origin="Failed sign-ins and other risks appear here as they happen."
        toolbar={<ExportButton name="securityEvents" query={{ ...list.filter, together: undefined }} />}
        filters={<ChoiceFilter label="State filter" parameter="resolved" all="Unresolved" options={views} />}
      />
      <LazyBoundary fallback={null} onFailure={() => setResolving(null)}>
        {resolving && <ResolveDialog event={resolving} onClose={() => setResolving(null)} />}
      </LazyBoundary>
    </BulkSelection>
  )
}
